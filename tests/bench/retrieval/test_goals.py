from bench.retrieval.goals import ALL, judge, judge_against, judge_vectors


def values(hit, rank):
    return {"hit@1": [hit], "hit@5": [hit], "R@10": [hit], "MRR": [rank]}


def test_a_goal_is_met_from_its_floor_on():
    met = {ALL: values(0.95, 0.855), "multi-hop": values(0.1, 0.1)}
    assert [verdict.is_met for verdict in judge("locomo", met)] == [True, True, True]
    missed = {ALL: values(0.949, 0.854)}
    assert [verdict.is_met for verdict in judge("locomo", missed)] == [False, False]


def test_what_is_aimed_at_beyond_the_floor_is_told_and_decides_nothing():
    (_, _, hops) = judge("locomo", {ALL: values(1, 1), "multi-hop": values(0.1, 0.1)})
    assert hops.is_met and "aim 0.850 open" in hops.line


def test_a_set_without_goals_has_no_verdict():
    assert not list(judge("cranfield", {ALL: values(0, 0)}))


def test_the_rank_must_beat_the_baseline_and_hits_may_lack_one_standard_error():
    ours = {"MRR": [0.5, 0.6], "hit@5": [1.0, 0.0]}
    theirs = {"MRR": [0.5, 0.5], "hit@5": [1.0, 1.0]}
    assert [verdict.is_met for verdict in judge_against("docs", ours, theirs)] == [True, True]
    theirs = {"MRR": [0.5, 0.6], "hit@5": [1.0, 1.0]}
    assert [verdict.is_met for verdict in judge_against("docs", ours, theirs)] == [False, True]
    assert [verdict.is_met for verdict in judge_against("lme-mini", ours, theirs)] == [True, True]
    ours["hit@5"] = [0.0, 0.0]
    assert not list(judge_against("docs", ours, theirs))[1].is_met


def test_vectors_must_gain_in_the_mean_and_lose_a_standard_error_on_no_set():
    without = {name: values(0.5, 0.5) for name in ("docs", "locomo")}
    gain = {"docs": values(0.9, 0.9), "locomo": values(0.5, 0.5)}
    assert [verdict.is_met for verdict in judge_vectors(gain, without)] == [True, True]
    mixed = {"docs": values(0.9, 0.9), "locomo": values(0.4, 0.5)}
    assert [verdict.is_met for verdict in judge_vectors(mixed, without)] == [True, False, True]
    assert not any(verdict.is_met for verdict in judge_vectors(without, without))
