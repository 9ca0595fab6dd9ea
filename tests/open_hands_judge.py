"""Slow and obvious judges of basra_sim.skill: all orders of play, all hands. They use the reference engine's captures."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

from basra_sim.game.cards import members
from basra_sim.game.judge_captures import captured, kind_of
from basra_sim.game.rules import RuleSet, kind_points
from basra_sim.players.position import Position


def random_position(rng: random.Random, rules, deal: int, size: int | None = None) -> Position:
    """A position of any deal with a plausible floor: some cards, at most one jack, no komi with company."""
    while True:
        cards = list(range(52))
        rng.shuffle(cards)
        size_now = size or rng.randint(1, 4)
        leading = rng.random() < 0.5
        if not leading and size_now == 1 and deal == 5:
            continue
        held = size_now if leading else size_now - 1
        hidden = held + 8 * (5 - deal)
        floor_size = rng.randint(0, 6)
        hand, floor, unseen = cards[:size_now], cards[size_now : size_now + floor_size], cards[-hidden:] if hidden else []
        gone = 52 - size_now - floor_size - hidden
        if gone < 0 or sum(card >> 2 == 10 for card in floor) > 1 or (25 in floor and len(floor) > 1):
            continue
        mine = rng.randint(max(0, gone // 2 - 6), min(gone, gone // 2 + 6))
        points = (10 * rng.randint(0, 3), 10 * rng.randint(0, 3))
        sets = [sum(1 << card for card in part) for part in (hand, floor, unseen)]
        last = rng.choice((1, 2)) if gone else 0
        return Position(rules, *sets, deal, leading, (mine, gone - mine), (0, 0), points, last)


class Judge:
    """What a card does, by the reference captures, remembered."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.worth = rules, kind_points(rules)
        self.points = rules.points_of_cards()
        self.known: dict[tuple[int, int], tuple[int, int]] = {}

    def play(self, floor: int, card: int) -> tuple[int, int]:
        """(card set taken, points scored at once)."""
        if (floor, card) not in self.known:
            cards = list(members(floor))
            taken = captured(self.rules, cards, card)
            scored = self.worth[kind_of(self.rules, cards, card, taken)]
            self.known[floor, card] = (sum(1 << other for other in taken), scored)
        return self.known[floor, card]

    def after(self, floor: int, card: int) -> int:
        """The floor that a card leaves."""
        taken, _ = self.play(floor, card)
        return floor & ~taken if taken else floor | 1 << card

    def greedy_card(self, floor: int, hand: int) -> int:
        """The card that brings most, points first; the lowest of equals."""
        return max(members(hand), key=lambda c: (self.play(floor, c)[1], self.play(floor, c)[0].bit_count(), -c))

    def line_worth(self, position: Position, line: tuple) -> int:
        """Points of the round, mine less the other's, after a line of (0 I or 1 he, card) to the end of the last deal."""
        floor, last = position.floor, position.last
        cards, points = list(position.piles), list(position.points)
        for side, card in line:
            taken, scored = self.play(floor, card)
            points[side] += scored
            if taken:
                cards[side] += taken.bit_count() + 1
                last = side + 1
            floor = self.after(floor, card)
        if last:
            cards[last - 1] += floor.bit_count()
        majority = self.rules.majority_points
        return points[0] - points[1] + (majority if cards[0] > cards[1] else -majority if cards[0] < cards[1] else 0)


def brute_force(position: Position, judge: Judge) -> dict[int, int]:
    """The final difference of the round's points after each card of the hand, over all orders of play of the last deal."""
    points_of_card, play = judge.points, judge.play
    start = list(position.points)

    def final(floor, piles, points, last):
        cards = [pile.bit_count() for pile in piles]
        cards[0] += position.piles[0]
        cards[1] += position.piles[1]
        if last is not None:
            cards[last] += floor.bit_count()
            points = list(points)
            points[last] += sum(points_of_card[card] for card in members(floor))
        difference = points[0] - points[1]
        if cards[0] != cards[1]:
            difference += position.rules.majority_points * (1 if cards[0] > cards[1] else -1)
        return difference

    def value(hands, floor, piles, points, last, mover):
        if not hands[mover]:
            return final(floor, piles, points, last)
        results = []
        for card in members(hands[mover]):
            results.append(after(hands, floor, piles, points, last, mover, card))
        return max(results) if mover == 0 else min(results)

    def after(hands, floor, piles, points, last, mover, card):
        taken, scored = play(floor, card)
        hands = [hand & ~(1 << card) for hand in hands]
        piles, points = list(piles), list(points)
        if taken:
            piles[mover] |= taken | 1 << card
            points[mover] += scored + sum(points_of_card[c] for c in members(taken | 1 << card))
            floor, last = floor & ~taken, mover
        else:
            floor |= 1 << card
        return value(hands, floor, piles, points, last, 1 - mover)

    for side, pile in enumerate(position.pile_sets):
        start[side] += sum(points_of_card[card] for card in members(pile))
    hands = [position.hand, position.unseen]
    last = {0: None, 1: 0, 2: 1}[position.last]
    return {
        card: after(hands, position.floor, [0, 0], start, last, 0, card) for card in members(position.hand)
    }


def chance_by_listing(unseen: int, held: int, wanted: int) -> float:
    """The chance that one of all hands of `held` unseen cards has a wanted card, by listing them."""
    hits = sum(1 for hand in combinations(list(members(unseen)), held) if any(wanted >> card & 1 for card in hand))
    return hits / comb(unseen.bit_count(), held)
