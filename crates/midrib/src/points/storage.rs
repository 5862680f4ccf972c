//! Where the values of points are kept.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Numbers, row after row: borrowed, owned, or shared with whoever keeps them, such as a file that is
/// mapped into memory for as long as something uses it.
#[derive(Clone)]
pub enum Storage<'a, T> {
    /// A slice of the caller's.
    Borrowed(&'a [T]),
    /// A vector.
    Owned(Vec<T>),
    /// What somebody else keeps; the last user frees it.
    Shared(Arc<dyn AsRef<[T]> + Send + Sync>),
}

impl<T: Clone> Storage<'_, T> {
    /// Changes the values, which are copied first, unless they are owned.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        if let Self::Owned(values) = self {
            return change(values);
        }
        let mut values = self.to_vec();
        let result = change(&mut values);
        *self = Self::Owned(values);
        result
    }
}

impl<T> Deref for Storage<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Borrowed(values) => values,
            Self::Owned(values) => values,
            Self::Shared(keeper) => (**keeper).as_ref(),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Storage<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T> From<&'a [T]> for Storage<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Self::Borrowed(values)
    }
}

impl<'a, T> From<&'a Vec<T>> for Storage<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        Self::Borrowed(values)
    }
}

impl<T> From<Vec<T>> for Storage<'_, T> {
    fn from(values: Vec<T>) -> Self {
        Self::Owned(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn shared_values_are_freed_with_their_last_points() {
        let kept = Arc::new(vec![1.0, 2.0, 3.0, 4.0]);
        let watched = Arc::downgrade(&kept);
        let points = Points::from_f64(Storage::Shared(kept), 2).unwrap();
        let copy = points.clone();
        drop(points);
        assert_eq!(copy.value(1, 0), 3.0);
        let mut own = Storage::Shared(watched.upgrade().unwrap());
        own.change(|values| values[0] = 9.0);
        assert_eq!((copy.value(0, 0), own[0]), (1.0, 9.0));
        drop(copy);
        assert!(watched.upgrade().is_none());
    }
}
