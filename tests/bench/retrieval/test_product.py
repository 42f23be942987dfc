from bench.retrieval.product import Way, ask_plainly, ask_product, groups


def test_a_question_is_asked_in_its_space_at_its_time(sets):
    moments = []

    def watch(product, space, question):
        found = ask_plainly(product, space, question)
        moments.append(product.app.clock())
        return found

    spaces = sets["longmemeval-s"].spaces + sets["docs"].spaces
    runs = ask_product(spaces, {"watch": Way("watched", ask=watch)})
    (haystack,), (docs,) = (space.questions for space in spaces)
    assert moments[1:] == [haystack.asked_at, docs.asked_at]  # the first one warms up
    assert set(runs["watch"].found[0]) & haystack.answers and set(runs["watch"].found[1]) & docs.answers
    assert all(path.startswith("sessions/") for path in runs["watch"].found[0])


def test_many_spaces_take_several_stores(sets):
    space = sets["mixed"].spaces[0]
    sizes = [sum(len(each.pages) for each in group) for group in groups([space] * 1000)]
    assert max(sizes) <= 3000 and sum(sizes) == 1000 * len(space.pages)
