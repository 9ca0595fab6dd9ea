"""One play for each sentence of rules 4 to 12 and each option about captures; both readings of the rules must agree."""

import pytest
from rule_cases import PLAIN, PLAY_JUDGES, with_options

V2 = ""
# sentence of the rules, options, floor, card played, what it takes, kind, points
PLAYS = [
    # rule 4
    ("ace counts 1", V2, "Ah 4c", "5d", "Ah 4c", "basra", 10),
    ("pips count themselves", V2, "2h 8c", "Td", "2h 8c", "basra", 10),
    ("ten is a number card", V2, "Th Kc", "Td", "Th", "capture", 0),
    ("jack has no number", V2, "Jc 2c", "Kh", "", "lay", 0),
    ("no sum holds a jack", V2, "Jc 9c", "Td", "", "lay", 0),
    ("no sum holds a queen", V2, "Ac Qc", "Kh", "", "lay", 0),
    ("no sum makes a queen", V2, "5c 7c", "Qh", "", "lay", 0),
    ("no sum makes a king", V2, "6c 7c", "Kh", "", "lay", 0),
    # rule 5
    ("every floor card of its rank", V2, "5c 5h 5s Kd", "5d", "5c 5h 5s", "capture", 0),
    ("a group that totals its value", V2, "2c 3h Kd", "5d", "2c 3h", "capture", 0),
    ("a group of three", V2, "Ac 2c 3h Kd", "6d", "Ac 2c 3h", "capture", 0),
    ("rank and group together", V2, "2c 3h 5c Kd", "5d", "2c 3h 5c", "capture", 0),
    ("several groups at once", V2, "Ac 2c 3h 4h Kd", "5d", "Ac 2c 3h 4h", "capture", 0),
    ("no floor card serves twice", V2, "2c 3h 3s Kd", "5d", "2c 3h", "capture", 0),
    ("a lower card alone is no group", V2, "4c", "5d", "", "lay", 0),
    ("a group must total exactly", V2, "2c 4c", "5d", "", "lay", 0),
    ("the union with the most cards", V2, "Ac 2d 3h 5s", "8c", "Ac 2d 5s", "capture", 0),
    ("more cards in two groups", V2, "Ac 4c 5h 6h 9c", "Td", "Ac 4c 6h 9c", "capture", 0),
    ("two pairs before one triple", V2, "Ac 2c 4c 5c 6c", "7h", "Ac 2c 5c 6c", "capture", 0),
    ("among equals the ids that come first", V2, "2c 2d 6h Kd", "8c", "2c 6h", "capture", 0),
    ("first ids decide before later ones", V2, "Ac 2c 3c 4c Kd", "5d", "Ac 2c 3c 4c", "capture", 0),
    ("first list of ids, not first group", V2, "Ac 2d 3h 4h 6c", "7h", "Ac 3h 4h 6c", "capture", 0),
    ("an ace takes aces only", V2, "Ah 2c", "Ad", "Ah", "capture", 0),
    # rule 6
    ("king takes kings", V2, "Kc Kh 2c", "Kd", "Kc Kh", "capture", 0),
    ("queen takes queens", V2, "Qc Qh Qs 2c", "Qd", "Qc Qh Qs", "capture", 0),
    ("king takes no queen", V2, "Qc", "Kd", "", "lay", 0),
    ("queen takes no king", V2, "Kc", "Qd", "", "lay", 0),
    # rule 7
    ("jack takes everything", V2, "2c 8h Qd Kc", "Jd", "2c 8h Qd Kc", "sweep", 0),
    ("jack on an empty floor is laid", V2, "", "Jd", "", "lay", 0),
    ("jack takes a single card without score", V2, "5c", "Jd", "5c", "sweep", 0),
    # rule 8
    ("komi takes everything", V2, "2c 8h Qd Kc", "7d", "2c 8h Qd Kc", "sweep", 0),
    ("komi on an empty floor is laid", V2, "", "7d", "", "lay", 0),
    ("komi scores on one number card", V2, "4c", "7d", "4c", "komi_basra", 10),
    ("komi scores on one king", V2, "Kc", "7d", "Kc", "komi_basra", 10),
    ("komi scores on all queens", V2, "Qc Qh", "7d", "Qc Qh", "komi_basra", 10),
    ("komi scores on all kings", V2, "Kc Kh Ks", "7d", "Kc Kh Ks", "komi_basra", 10),
    ("komi scores not on queen and king", V2, "Qc Kh", "7d", "Qc Kh", "sweep", 0),
    ("komi scores on groups of one total", V2, "2c 3c 4c Ac", "7d", "Ac 2c 3c 4c", "komi_basra", 10),
    ("komi scores on groups and their rank", V2, "Tc 4h 6c", "7d", "4h 6c Tc", "komi_basra", 10),
    ("komi scores not on other numbers", V2, "8c 9h", "7d", "8c 9h", "sweep", 0),
    ("komi scores not on number and king", V2, "8c Kh", "7d", "8c Kh", "sweep", 0),
    ("komi scores not on a total above ten", V2, "5c 6c", "7d", "5c 6c", "sweep", 0),
    ("otherwise a plain jack", V2, "Jh 3c", "7d", "3c Jh", "sweep", 0),
    # rule 9
    ("a lying komi is taken by a king", V2, "7d", "Kc", "7d", "basra", 10),
    ("a lying komi is taken by any number", V2, "7d", "2c", "7d", "basra", 10),
    ("a lying komi is a group of its own", V2, "7d 2c 3c", "5c", "2c 3c 7d", "basra", 10),
    ("a lying komi is a 7 in sums", V2, "2c 7d", "9c", "2c 7d", "basra", 10),
    ("a lying komi serves not twice", V2, "2c 7d Kc", "Tc", "7d", "capture", 0),
    ("a lying komi leaves its place to another 7", V2, "3c 7c 7d", "Tc", "3c 7c 7d", "basra", 10),
    ("a lying komi is a 7 by rank", V2, "7d Kc", "7c", "7d", "capture", 0),
    ("a lying komi may serve in the larger sum", V2, "3c 7d Ac 2c", "Tc", "Ac 2c 7d", "capture", 0),
    # rule 10
    ("basra with a number card", V2, "9c", "9d", "9c", "basra", 10),
    ("basra with a king", V2, "Kc", "Kd", "Kc", "basra", 10),
    ("basra with a queen", V2, "Qc Qs", "Qd", "Qc Qs", "basra", 10),
    ("no basra when a card stays", V2, "9c Kc", "9d", "9c", "capture", 0),
    ("no basra on an empty floor", V2, "", "9d", "", "lay", 0),
    # rule 11
    ("jack on a lone jack", V2, "Jc", "Jd", "Jc", "jack_basra", 30),
    ("komi on a lone jack", V2, "Jc", "7d", "Jc", "jack_basra", 30),
    ("jack on a lone komi", V2, "7d", "Jd", "7d", "jack_basra", 30),
    ("jack on two jacks scores nothing", V2, "Jc Jh", "Jd", "Jc Jh", "sweep", 0),
    ("komi on two jacks scores nothing", V2, "Jc Jh", "7d", "Jc Jh", "sweep", 0),
    ("jack on jack and more scores nothing", V2, "2c Jc", "Jd", "2c Jc", "sweep", 0),
    ("jack on komi and more scores nothing", V2, "7d Jc", "Jd", "7d Jc", "sweep", 0),
    # rule 12
    ("a card that captures nothing is laid", V2, "2c Kc", "9d", "", "lay", 0),
    # points
    ("basra_points", "basra_points=7", "9c", "9d", "9c", "basra", 7),
    ("komi_basra_points", "komi_basra_points=8", "9c", "7d", "9c", "komi_basra", 8),
    ("jack_basra_points", "jack_basra_points=20", "Jc", "Jd", "Jc", "jack_basra", 20),
    ("a basra of no points keeps its kind", "basra_points=0", "9c", "9d", "9c", "basra", 0),
    # jack_basra
    ("all_jacks on one", "jack_basra=all_jacks", "Jc", "Jd", "Jc", "jack_basra", 30),
    ("all_jacks on two", "jack_basra=all_jacks", "Jc Jh", "Jd", "Jc Jh", "jack_basra", 30),
    ("all_jacks on jack and king", "jack_basra=all_jacks", "Jc Kh", "Jd", "Jc Kh", "sweep", 0),
    ("all_jacks, a komi is no jack", "jack_basra=all_jacks", "7d Jh", "Jd", "7d Jh", "sweep", 0),
    ("all_jacks, the komi is a plain jack", "jack_basra=all_jacks", "Jc Jh", "7d", "Jc Jh", "jack_basra", 30),
    ("never", "jack_basra=never", "Jc", "Jd", "Jc", "sweep", 0),
    ("never, lone komi decides for itself", "jack_basra=never", "7d", "Jd", "7d", "jack_basra", 30),
    ("never, komi on a lone jack too", "jack_basra=never", "Jc", "7d", "Jc", "jack_basra", 30),
    # komi_power (with what must go with it)
    ("plain 7 takes 7s", "PLAIN", "7c Kc", "7d", "7c", "capture", 0),
    ("plain 7 takes sums", "PLAIN", "3c 4c", "7d", "3c 4c", "basra", 10),
    ("plain 7 sweeps nothing", "PLAIN", "9c Jc", "7d", "", "lay", 0),
    ("plain 7 takes no jack", "PLAIN", "Jc", "7d", "", "lay", 0),
    ("plain 7 may lie as a komi", "PLAIN", "7d", "Kc", "7d", "basra", 10),
    # komi_basra
    ("sum_le_10, ten", "komi_basra=sum_le_10", "2c 8c", "7d", "2c 8c", "komi_basra", 10),
    ("sum_le_10, eleven", "komi_basra=sum_le_10", "3c 8c", "7d", "3c 8c", "sweep", 0),
    ("sum_le_10, a king", "komi_basra=sum_le_10", "Kc", "7d", "Kc", "sweep", 0),
    ("single_card, number", "komi_basra=single_card", "9c", "7d", "9c", "komi_basra", 10),
    ("single_card, queen", "komi_basra=single_card", "Qc", "7d", "Qc", "komi_basra", 10),
    ("single_card, two", "komi_basra=single_card", "9c 9h", "7d", "9c 9h", "sweep", 0),
    ("single_card, lone jack first", "komi_basra=single_card", "Jc", "7d", "Jc", "jack_basra", 30),
    ("any floor", "komi_basra=any", "2c 9h Kc Jc", "7d", "2c 9h Kc Jc", "komi_basra", 10),
    ("any, two jacks", "komi_basra=any", "Jc Jh", "7d", "Jc Jh", "komi_basra", 10),
    ("any, lone jack first", "komi_basra=any komi_on_lone_jack=none", "Jc", "7d", "Jc", "sweep", 0),
    ("any, but not an empty floor", "komi_basra=any", "", "7d", "", "lay", 0),
    ("never", "komi_basra=never", "9c", "7d", "9c", "sweep", 0),
    ("never, lone jack first", "komi_basra=never", "Jc", "7d", "Jc", "jack_basra", 30),
    # komi_on_lone_jack, jack_on_lone_komi
    ("komi on jack pays a komi basra", "komi_on_lone_jack=basra", "Jc", "7d", "Jc", "komi_basra", 10),
    ("komi on jack pays nothing", "komi_on_lone_jack=none", "Jc", "7d", "Jc", "sweep", 0),
    ("jack on komi pays a basra", "jack_on_lone_komi=basra", "7d", "Jc", "7d", "basra", 10),
    ("jack on komi pays nothing", "jack_on_lone_komi=none", "7d", "Jc", "7d", "sweep", 0),
    # komi_on_floor
    ("seven, no king takes it", "komi_on_floor=seven", "7d", "Kc", "", "lay", 0),
    ("seven, a 7 takes it", "komi_on_floor=seven", "7d", "7c", "7d", "basra", 10),
    ("seven, in sums", "komi_on_floor=seven", "2c 7d", "9c", "2c 7d", "basra", 10),
    ("seven, a jack takes it", "komi_on_floor=seven", "7d Kc", "Jc", "7d Kc", "sweep", 0),
    ("seven, lone and jack", "komi_on_floor=seven", "7d", "Jc", "7d", "jack_basra", 30),
]


@PLAY_JUDGES
@pytest.mark.parametrize(
    ("options", "floor", "card", "taken", "kind", "points"),
    [play[1:] for play in PLAYS],
    ids=[f"{play[0]} [{play[1]}]" for play in PLAYS],
)
def test_sentence(played, options, floor, card, taken, kind, points):
    rules = with_options(options.replace("PLAIN", PLAIN))
    found_taken, *rest = played(rules, floor, card)
    assert set(found_taken.split()) == set(taken.split())
    assert rest == [kind, points]
