"""A first look at midrib in Python: iris, digits, pictures, a root, pseudotime."""

# %% Learn a tree through the middle of the points
import midrib
import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

iris = load_iris(as_frame=True)
graph = midrib.fit(iris.data)
print(graph)
print(f"explains {graph.explained:.1%} of the variance; chosen: {graph.chosen}")

# %% Start at the flowers with the shortest petals
petal = iris.data["petal length (cm)"]
rooted = graph.root(X=iris.data, values=petal, at="min")
time = rooted.pseudotime(iris.data)
print(f"root {rooted.roots}, pseudotime from {time.min():.2f} to {time.max():.2f}")
for kind, name in enumerate(iris.target_names):
    print(f"  {name:<10} mean pseudotime {time[iris.target == kind].mean():.2f}")

# %% Every lineage is a path from the root to a tip
for lineage in rooted.lineages():
    print(f"  to node {lineage.nodes[-1]}: {len(lineage.nodes)} nodes, {lineage.length:.2f} long")

# %% The same as a scikit-learn estimator
digits = load_digits()
pipeline = make_pipeline(PCA(0.9), midrib.SimplePPT(n_nodes=60))
branch = pipeline.fit(digits.data).predict(digits.data)
tree = pipeline[-1].graph_
print(f"digits: {tree}")
purity = [np.bincount(digits.target[branch == b]).max() for b in np.unique(branch)]
print(f"  {sum(purity) / len(branch):.0%} of the digits are the most frequent one of their branch")

# %% Pictures
if __name__ == "__main__":
    midrib.pl.graph(rooted, iris.data, color=iris.target_names[iris.target], dims=(2, 3))
    plt.savefig("iris.png", dpi=120)
    midrib.pl.metro(tree, pipeline[:-1].transform(digits.data), color=digits.target)
    plt.savefig("digits.png", dpi=120)
