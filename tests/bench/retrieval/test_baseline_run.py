from bench.retrieval.baseline_run import ask_baseline


def test_fts5_finds_the_answers_of_each_space_in_its_own_pages(sets):
    asked = sets["locomo"].spaces + sets["docs"].spaces
    run = ask_baseline(asked)
    questions = [question for space in asked for question in space.questions]
    assert [found[0] in question.answers for question, found in zip(questions, run.found, strict=True)] == [
        True,
        True,
        True,
    ]
    assert len(run.query_ms) == 3 and run.index_cpu > 0
