"""A first use where nothing but numpy is installed; run by ./check."""

import importlib.util

import midrib
import numpy as np

for package in ("sklearn", "scipy", "pandas", "matplotlib", "anndata"):
    assert importlib.util.find_spec(package) is None, f"{package} is installed"

t = np.linspace(0, 3, 300)
graph = midrib.fit(np.column_stack([t, np.sin(t)]))
assert len(graph.tips) == 2
assert graph.root(int(graph.tips[0])).pseudotime([[1.5, 1.0]])[0] > 0.5
assert "<svg" in graph._repr_html_()
try:
    midrib.SimplePPT()
except ImportError as error:
    assert "midrib.SimplePPT needs scikit-learn" in str(error)
else:
    raise AssertionError("scikit-learn is not there")
print(f"midrib {midrib.__version__} with numpy {np.__version__} alone: {graph}")
