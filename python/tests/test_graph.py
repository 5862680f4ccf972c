"""The graph: nodes and edges, what can be computed from it, other packages and files."""

import json
import pickle
import subprocess
import xml.etree.ElementTree as ElementTree

import igraph
import midrib
import networkx
import numpy as np
import pytest
from midrib import Graph


@pytest.fixture
def star() -> Graph:
    """A fork: node 1 in the middle, tips 0, 2 and 3."""
    return Graph.from_edges([[0, 0], [2, 0], [3, 1], [3, -1]], [[0, 1], [1, 2], [1, 3]])


@pytest.fixture
def ring() -> Graph:
    return Graph.from_edges([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1], [1, 2], [2, 3], [0, 3]])


def test_its_parts(star, ring):
    assert star.tips.tolist() == [0, 2, 3] and star.branch_points.tolist() == [1]
    assert (star.n_nodes, star.n_edges, star.n_loops, star.n_components) == (4, 3, 0, 1)
    assert star.length == pytest.approx(2 + 2 * np.sqrt(2))
    assert [branch.name for branch in star.branches()] == ["0-1", "1-2", "1-3"]
    assert ring.n_loops == 1 and ring.branches()[0].closed
    assert ring.branches()[0].nodes.tolist() == [0, 1, 2, 3, 0]
    assert star.path(0, 3).nodes.tolist() == [0, 1, 3]
    assert star.longest_path().length == pytest.approx(2 + np.sqrt(2))
    assert repr(star) == "Graph(4 nodes, 3 edges: 3 tips, 1 branch point, 0 loops, 1 component)"


def test_it_cannot_be_changed(star):
    for array in (star.nodes, star.edges, star.edge_weights, star.mass, star.tips):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        star.roots = (1,)


def test_places_of_points(star):
    on = star.project([[1, 0.5], [4, 2], [2.5, 0.5]])
    assert on.edge.tolist() == [0, 1, 1] and on.node.tolist() == [0, 2, 1]
    assert np.allclose(on.edge_pos, [0.5, 1, 0.5])
    assert np.allclose(on.distance, [0.5, np.sqrt(2), 0])
    assert on.branch.tolist() == [0, 1, 1]
    assert np.allclose(star.places([[1, 0.5], [4, 2]]), [[1, 0], [3, 1]])
    assert pickle.loads(pickle.dumps(on)) == on
    assert star.mean_squared_distance([[1, 0.5], [1, 0]]) == pytest.approx(0.125)
    assert star.mean_squared_distance([[1, 0.5], [1, 0]], [3, 1]) == pytest.approx(0.1875)
    lonely = Graph.from_edges([[0.0], [5.0]], np.zeros((0, 2), int))
    assert lonely.project([[1.0]]).edge.tolist() == [-1]


def test_roots_and_time(star, ring):
    rooted = star.root(0)
    assert rooted.roots == (0,) and star.roots == ()
    assert np.allclose(rooted.node_pseudotime, [0, 2, 2 + np.sqrt(2), 2 + np.sqrt(2)])
    points = np.array([[0.5, 0.3], [2.5, 0.5]])
    expected = [0.5, 2 + np.sqrt(0.5)]
    assert np.allclose(rooted.pseudotime(points), expected)
    assert np.allclose(rooted.pseudotime(star.project(points)), expected)
    assert [way.nodes.tolist() for way in rooted.lineages()] == [[0, 1, 2], [0, 1, 3]]
    time, weight = rooted.lineage_weights(points)
    assert weight.tolist() == [[1, 1], [1, 0]] and np.allclose(time[1], [expected[1], 2])
    assert star.root(near=[3, -1]).roots == (3,)
    assert star.root([2, 3]).roots == (2, 3)
    assert len(ring.root(0).lineages()) == 2
    two = Graph.from_edges([[0.0], [1.0], [5.0], [6.0]], [[0, 1], [2, 3]]).root(1)
    assert np.isnan(two.node_pseudotime).tolist() == [False, False, True, True]


def test_support_by_resampling(fork, tmp_path):
    graph = midrib.fit(fork, n_nodes=30).root(near=fork[0])
    assert graph.support is None
    seen = []
    found = graph.bootstrap(fork, 6, progress=lambda *report: seen.append(report))
    assert seen == [("replica", done, 6, None) for done in range(7)]
    supported = found.graph
    assert supported.support.shape == (graph.n_edges,) and supported.roots == graph.roots
    assert set(np.round(supported.support * 6)) <= set(range(7)) and supported.support.mean() > 0.9
    assert found.tips.shape == (6,) and set(found.tips) == {3} and not found.loops.any()
    assert (found.pseudotime_sd < 1).all()
    assert repr(found).startswith("Bootstrap(6 replicas of Graph(30 nodes")
    again = graph.bootstrap(fork, 6, n_jobs=1)
    assert again.graph == supported and np.array_equal(again.pseudotime_sd, found.pseudotime_sd)
    assert graph.bootstrap(fork, 6, random_state=1).graph != supported
    supported.save(tmp_path / "model.json")
    assert midrib.read(tmp_path / "model.json").support.tolist() == supported.support.tolist()
    assert "support" in supported.to_graphml()
    assert supported.prune(fork, min_support=0.5).support.shape == (graph.n_edges,)
    some = graph.bootstrap(fork, 50, n_jobs=1, progress=lambda stage, done, *_: done < 2)
    assert len(some.tips) == 2
    with pytest.raises(ValueError, match=r"graph.bootstrap\(X\).graph has it"):
        graph.prune(fork, min_support=0.5)
    with pytest.raises(ValueError, match="replicas = 0: must be at least 1"):
        graph.bootstrap(fork, 0)
    given = Graph.from_edges([[0, 0, 0], [2, 0, 0]], [[0, 1]])
    with pytest.raises(midrib.DataError, match="was not learned"):
        given.bootstrap(fork)


def test_a_root_by_values(fork):
    graph = midrib.fit(fork)
    rooted = graph.root(X=fork, values=fork[:, 0], at="max")
    tip = rooted.roots[0]
    assert tip in graph.tips and graph.nodes[tip, 0] > 2.5
    near = np.argsort(fork[:, 0])[-5:]
    assert rooted.pseudotime(fork)[near].max() < 0.5


def test_roots_are_refused(star):
    for wrong in (9, -1, [], 0.5, "a"):
        with pytest.raises(ValueError, match="root"):
            star.root(wrong)
    with pytest.raises(ValueError, match="give either node, or near, or X and values"):
        star.root()
    with pytest.raises(ValueError, match="has no root"):
        star.pseudotime([[0, 0]])
    with pytest.raises(ValueError, match="expected 1, found 2"):
        star.root(X=[[0, 0]], values=[1, 2])


def test_pruned_and_simplified(fork):
    graph = midrib.fit(fork, tips="keep", smoothing=0.001)
    pruned = graph.prune(fork, min_share=0.1)
    assert len(graph.tips) > len(pruned.tips) == 3
    assert pruned.edits == [
        {"edit": "prune", "min_length": 0.0, "min_share": 0.1, "min_support": 0.0}
    ]
    rng = np.random.default_rng(1)
    angle = rng.uniform(0, 2 * np.pi, 300)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.03, (300, 2))
    raw = midrib.fit(circle, "rpg", structure="l1")
    skeleton = raw.simplify()
    assert raw.n_loops > 1 == skeleton.n_loops and len(skeleton.tips) == 0


def test_a_curve_of_a_map_that_was_edited_is_a_graph(fork, tmp_path):
    net = midrib.fit(fork, "elastic-map", net="chain")
    assert net.embeds
    for edited in (net.simplify(drop_below=0.0), net.prune(fork, min_share=0.0)):
        assert not edited.embeds
        assert edited.objective is None
        assert edited.mean_squared_distance(fork) >= net.mean_squared_distance(fork)
        edited.save(tmp_path)
        assert midrib.read(tmp_path) == edited
        with pytest.raises(ValueError, match="elastic-map learns no embedding"):
            edited.embed(fork)


def test_sheets_have_neither_branches_nor_ends(fork):
    sheet = midrib.fit(fork, "elastic-map")
    for task in (
        lambda: sheet.simplify(),
        lambda: sheet.prune(fork),
        lambda: sheet.root(0),
        lambda: sheet.bootstrap(fork, 2),
    ):
        with pytest.raises(ValueError, match="needs a curve, tree or graph"):
            task()


def test_drawings(star, fork):
    metro = star.layout()
    a, b = star.edges.T
    drawn = np.linalg.norm(metro.nodes[a] - metro.nodes[b], axis=1)
    assert np.allclose(drawn, star.edge_lengths) and metro.points is None
    assert star.layout("metro", [[1, 0]]).points.shape == (1, 2)
    tree = star.root(0).layout("dendrogram", [[1, 0]])
    assert np.allclose(tree.nodes[:, 1], star.root(0).node_pseudotime)
    assert tree.bars.shape == (1, 3) and tree.points.shape == (1, 2)
    with pytest.raises(ValueError, match="has no root"):
        star.layout("dendrogram")
    for graph in (star, star.root(0), midrib.fit(fork), Graph.from_edges([[1.0]], [])):
        markup = graph._repr_html_()
        assert "<script" not in markup and "nan" not in markup
        ElementTree.fromstring(markup)


@pytest.mark.parametrize("view", ["graph", "metro", "dendrogram", "adjacency", "convergence"])
def test_pictures(fork, tmp_path, view):
    graph = midrib.fit(fork, n_nodes=30).root(0)
    svg = graph.draw(tmp_path / "graph.svg", fork, view=view)
    ElementTree.fromstring(svg)
    assert (tmp_path / "graph.svg").read_text() == svg
    if view != "convergence":
        by_value = graph.draw(None, fork, view=view, color=fork[:, 0])
        by_label = graph.draw(None, fork, view=view, color=np.where(fork[:, 0] > 1, "a", "b"))
        assert by_value != by_label != svg
    graph.draw(tmp_path / "graph.png", fork, view=view)
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_reports(fork, tmp_path):
    stage = np.where(fork[:, 0] > 1, "early", "late").astype(object)
    stage[3] = None
    for method in ("ppt", "elastic-map", "kmeans", "pca"):
        page = tmp_path / f"{method}.html"
        midrib.fit(fork, method).report(page, fork, labels={"stage": stage}, ids=range(400))
        assert page.read_text().startswith("<!DOCTYPE html>") and "early" in page.read_text()
    graph = midrib.fit(fork)
    with pytest.raises(ValueError, match="400 points and 2 ids"):
        graph.report(tmp_path / "x.html", fork, ids=["a", "b"])
    with pytest.raises(ValueError, match=r"stage has shape \(2,\)"):
        graph.report(tmp_path / "x.html", fork, labels={"stage": ["a", "b"]})
    with pytest.raises(ValueError, match="a dendrogram needs a root"):
        graph.draw(None, fork, view="dendrogram")
    with pytest.raises(ValueError, match="view = map needs a net with cells"):
        graph.draw(None, fork, view="map")
    with pytest.raises(ValueError, match="ends in .svg or .png"):
        graph.draw(tmp_path / "graph.jpg", fork)
    with pytest.raises(OSError, match="cannot be written"):
        graph.report(tmp_path / "no" / "such.html", fork)


def test_other_packages_see_the_same(fork, star):
    graph = midrib.fit(fork)
    theirs = graph.to_networkx()
    assert networkx.is_tree(theirs)
    assert sum(d["length"] for *_, d in theirs.edges(data=True)) == pytest.approx(graph.length)
    assert np.allclose(theirs.nodes[3]["pos"], graph.nodes[3])
    other = graph.to_igraph()
    assert isinstance(other, igraph.Graph) and other.is_tree()
    assert other.distances(0, 5, weights="length")[0][0] == pytest.approx(graph.path(0, 5).length)
    assert networkx.parse_graphml(star.to_graphml()).number_of_edges() == 3


def test_dynverse_tables(star, ring):
    found = star.root(0).to_dynverse([[1, 0], [2.5, 0.5]], ["a", "b"])
    network = found["milestone_network"]
    assert network["from"].tolist() == ["M0", "M1", "M1"] and network["directed"].all()
    assert found["progressions"].values.tolist() == [["a", "M0", "M1", 0.5], ["b", "M1", "M2", 0.5]]
    regions = found["divergence_regions"]
    assert list(regions.columns) == ["divergence_id", "milestone_id", "is_start"]
    assert len(regions) == 0
    shares = found["milestone_percentages"].groupby("cell_id")["percentage"].sum()
    assert np.allclose(shares, 1)
    backwards = star.root(2).to_dynverse([[2.5, 0.5]])
    assert backwards["progressions"][["from", "to"]].values.tolist() == [["M2", "M1"]]
    around = ring.to_dynverse([[0.5, 0]])
    assert around["progressions"].values.tolist() == [["0", "M0", "M1", 0.5]]
    assert len(around["milestone_network"]) == 3
    inside = Graph.from_edges([[0.0], [1.0], [2.0]], [[0, 1], [1, 2]]).root(1)
    network = inside.to_dynverse([[0.5]])["milestone_network"]
    assert network["from"].tolist() == ["M1", "M1"]
    with pytest.raises(ValueError, match="2 points and 1 ids"):
        star.to_dynverse([[1, 0], [2, 0]], ["a"])


def test_links_in_components_without_a_root_have_no_direction():
    graph = Graph.from_edges([[0.0], [1.0], [5.0], [6.0], [9.0]], [[0, 1], [2, 3]]).root(1)
    found = graph.to_dynverse([[0.25], [9.0]])
    network = found["milestone_network"]
    assert network["directed"].tolist() == [True, False, False]
    assert network[["from", "to"]].values.tolist() == [["M1", "M0"], ["M2", "M3"], ["M4", "M4"]]
    assert found["progressions"].values.tolist() == [["0", "M1", "M0", 0.75], ["1", "M4", "M4", 1]]
    assert found["milestone_percentages"].values.tolist() == [
        ["0", "M1", 0.25],
        ["0", "M0", 0.75],
        ["1", "M4", 1],
    ]
    points = np.concatenate([np.linspace(0, 1, 30), np.linspace(5, 6, 30)])[:, None]
    assert graph.root(X=points, values=points[:, 0]).roots == (0,)
    assert graph.root(X=points, values=points[:, 0], at="max").roots == (3,)
    with pytest.raises(ValueError, match="the nodes 0, 1, 2, 3 are equally good; name one of them"):
        graph.root(X=points, values=np.ones(60))


def test_a_file_keeps_everything(fork, tmp_path):
    for method in ("ppt", "ddrtree"):
        graph = midrib.fit(fork, method)
        path = tmp_path / f"{method}.json"
        graph.save(path)
        again = midrib.read(path)
        assert again == graph and again.nodes.tobytes() == graph.nodes.tobytes()
        rooted = graph.root(0)
        assert pickle.loads(pickle.dumps(rooted)) == rooted
        rooted.save(path)
        assert midrib.read(path).roots == (0,)
        if method == "ddrtree":
            assert again.embed(fork).tobytes() == graph.embed(fork).tobytes()


def test_the_command_line_reads_ours_and_we_read_its(fork, tmp_path, command):
    table = tmp_path / "fork.csv"
    np.savetxt(table, fork, delimiter=",", header="x0,x1,x2", comments="", fmt="%.17g")
    result = tmp_path / "fork.midrib"
    subprocess.run([command, "fit", table, "-o", result, "-q"], check=True)
    ours, theirs = midrib.fit(fork), midrib.read(result)
    assert ours.nodes.tobytes() == theirs.nodes.tobytes()
    assert ours.objective_history.tobytes() == theirs.objective_history.tobytes()
    assert (ours.settings, ours.chosen) == (theirs.settings, theirs.chosen)
    assert ours.explained == theirs.explained

    ours.save(tmp_path / "ours.json")
    info = [command, "info", tmp_path / "ours.json"]
    printed = subprocess.run(info, check=True, capture_output=True, text=True)
    assert "an array, 400 points in 3 columns" in printed.stdout + printed.stderr
    printed = subprocess.run(
        [command, "project", tmp_path / "ours.json", table],
        check=True,
        capture_output=True,
        text=True,
    )
    branch = [int(line.split(",")[5]) for line in printed.stdout.splitlines()[1:]]
    assert branch == ours.project(fork).branch.tolist()

    scaled = tmp_path / "scaled.midrib"
    subprocess.run([command, "fit", table, "-o", scaled, "-q", "--scale", "unit"], check=True)
    points = (scaled / "points.csv").read_text().splitlines()[1:]
    distance = [float(line.split(",")[4]) for line in points]
    assert np.allclose(midrib.read(scaled).project(fork).distance, distance)


def test_files_that_cannot_be_read(tmp_path, star):
    path = tmp_path / "model.json"
    with pytest.raises(FileNotFoundError):
        midrib.read(path)
    star.save(path)
    model = json.loads(path.read_text())
    path.write_text(json.dumps(model | {"schema": 99}))
    with pytest.raises(midrib.DataError, match="written by a newer midrib .schema 99."):
        midrib.read(path)
    path.write_text("{}")
    with pytest.raises(midrib.DataError, match="is not a midrib model"):
        midrib.read(path)
    with pytest.raises(OSError, match="cannot be written"):
        star.save(tmp_path / "no" / "such" / "model.json")
    with pytest.raises(ValueError, match="edge 0-9"):
        Graph.from_edges([[0.0], [1.0]], [[0, 9]])
