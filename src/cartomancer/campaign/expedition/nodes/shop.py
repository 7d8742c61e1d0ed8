"""Shops: the stock of the map, gear, generic cards, training; buy any number, then leave (C4, [Contracts 4])."""

from __future__ import annotations

from typing import Final

from cartomancer.campaign.expedition.changes import gain_item
from cartomancer.campaign.expedition.nodes.kind import NodeKind, Option, StopKind, percent_of
from cartomancer.campaign.expedition.run import Purpose, Run, Stop
from cartomancer.content.rules_text import card_text
from cartomancer.maps.stakes import roll_shop

LEAVE: Final = "leave"
BUY, GEAR, FLEX, SELL, TRAIN = "buy ", "gear ", "card ", "sell ", "train"
TOKEN: Final = "shop_discount_token"


def enter(run: Run) -> None:
    """The shop opens with the stock that was rolled with the map; where the map has none, with one rolled like it."""
    stock = run.node.details.get("stock")
    if stock is None:
        seed, hooks = run.journey.ways[0].map.seed, list(run.hooks())
        stock = roll_shop(seed, run.node.id, boss_traits(run), hooks, run.codex.catalog)
    stream, tuning = run.stream(Purpose.STOCK), run.codex.expedition
    gear = stream.sample([name for name in run.codex.equipment if name not in run.gear], tuning.shop_gear)
    cards = stream.sample(run.codex.generic_cards("visitor"), tuning.shop_cards)
    run.push("shop", items=[slot["item"] for slot in stock], gear=gear, cards=cards)


def boss_traits(run: Run) -> list[str]:
    """The traits that the boss shows."""
    return list(run.journey.map.boss.details.get("traits", ()))


def price(run: Run, full: int) -> int:
    """What something costs now: a discount token takes its share off the next thing that is bought."""
    share = run.codex.expedition.discount_percent if run.tokens.get(TOKEN) else 0
    return max(1, full - percent_of(share, full))


def _ask(run: Run, stop: Stop) -> str:
    token = f" A discount token takes {run.codex.expedition.discount_percent} % off." if run.tokens.get(TOKEN) else ""
    return f"A shop. The purse holds {run.gold} gold.{token}"


def prices(run: Run, stop: Stop) -> dict[str, int]:
    """What can be bought, as actions, with what it costs."""
    codex, tuning = run.codex, run.codex.expedition
    found = {BUY + item: codex.catalog.items[item].price for item in stop.data["items"]}
    found |= {GEAR + name: tuning.gear_prices[codex.equipment[name].tier] for name in stop.data["gear"]}
    found |= {FLEX + card: tuning.flex_price for card in stop.data["cards"]}
    found[TRAIN] = tuning.training_price
    return {action: price(run, full) for action, full in found.items()}


def _options(run: Run, stop: Stop) -> list[Option]:
    codex, found = run.codex, []
    for action, asked in prices(run, stop).items():
        if asked > run.gold:
            continue
        kind, _, name = action.partition(" ")
        match kind:
            case "buy":
                entry = codex.catalog.items[name]
                use = "used up" if entry.consumable else "lasts for the run"
                found.append(Option(action, f"{entry.title}: {asked} gold", f"{entry.text()} ({use})"))
            case "gear":
                piece = codex.equipment[name]
                found.append(Option(action, f"{piece.title}, {piece.slot}: {asked} gold", piece.text()))
            case "card":
                card = codex.cards[name]
                found.append(Option(action, f"{card.title}, for a flex slot: {asked} gold", card_text(card)))
            case _:
                found.append(Option(action, f"train a card: {asked} gold"))
    for item in dict.fromkeys(run.items):
        entry = codex.catalog.items[item]
        found.append(Option(SELL + item, f"sell {entry.title}: {worth(run, entry.price)} gold"))
    return [*found, Option(LEAVE, "leave the shop")]


def worth(run: Run, full: int) -> int:
    """What a shop pays for something of this price."""
    return percent_of(run.codex.expedition.sell_percent, full)


def _choose(run: Run, stop: Stop, action: str) -> None:
    if action == LEAVE:
        run.stops.remove(stop)
        return
    kind, _, name = action.partition(" ")
    if kind == "sell":
        paid = worth(run, run.codex.catalog.items[name].price)
        run.items.remove(name)
        run.gold += paid
        run.note("sold", title=run.title("items", name), points=paid)
        return
    asked = prices(run, stop)[action]
    run.earn(-asked, "paid in the shop")
    if run.tokens.get(TOKEN):
        run.tokens[TOKEN] -= 1
    match kind:
        case "buy":
            stop.data["items"].remove(name)
            gain_item(run, name, "bought")
        case "gear":
            stop.data["gear"].remove(name)
            run.push("wearer", piece=name)
        case "card":
            stop.data["cards"].remove(name)
            run.push("flex", card=name)
        case _:
            run.push("training", left=1, cause="a lesson that was paid for")


# --- who wears it, who carries it -------------------------------------------------------------------------------------


def _ask_wearer(run: Run, stop: Stop) -> str:
    return f"Who wears {run.title('equipment', stop.data['piece'])}?"


def _wearers(run: Run, stop: Stop) -> list[Option]:
    slot = run.codex.equipment[stop.data["piece"]].slot
    found = []
    for seat in range(len(run.party.members)):
        worn = [name for name, at in run.gear.items() if at == seat and run.codex.equipment[name].slot == slot]
        instead = f"instead of {run.title('equipment', worn[0])}" if worn else ""
        found.append(Option(f"wear {seat + 1}", run.name_of(seat), instead))
    return found


def _wear(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    piece, seat = stop.data["piece"], int(action.split(" ")[1]) - 1
    slot = run.codex.equipment[piece].slot
    run.gear = {name: at for name, at in run.gear.items() if at != seat or run.codex.equipment[name].slot != slot}
    run.gear[piece] = seat
    run.note("gear", title=run.title("equipment", piece), who=run.name_of(seat))


def _ask_flex(run: Run, stop: Stop) -> str:
    card = run.codex.cards[stop.data["card"]]
    return f"Whose flex slot does {card.title} take? {card_text(card)}"


def _flex_slots(run: Run, stop: Stop) -> list[Option]:
    found = []
    for seat, member in enumerate(run.party.members):
        for card in run.codex.classes[member.kind].flex:
            held = next((mine for mine in (card, card + "+") if mine in member.cards), None)
            if held is not None:
                entry = run.codex.card(held)
                found.append(Option(f"swap {seat + 1} {held}", f"{run.name_of(seat)}: {entry.title}", card_text(entry)))
    return [*found, Option("keep", "nobody's: leave it in the packs, unused")]


def _swap(run: Run, stop: Stop, action: str) -> None:
    run.stops.remove(stop)
    if action == "keep":
        return
    _, number, card = action.split(" ")
    seat = int(number) - 1
    run.party.change_card(seat, run.party.members[seat].cards.index(card), stop.data["card"])
    title, instead = run.codex.cards[stop.data["card"]].title, run.codex.card(card).title
    run.note("swapped", who=run.name_of(seat), title=title, instead=instead)


NODE: Final = NodeKind(
    entered={"shop": enter},
    stops={
        "shop": StopKind(_ask, _options, _choose),
        "wearer": StopKind(_ask_wearer, _wearers, _wear),
        "flex": StopKind(_ask_flex, _flex_slots, _swap),
    },
)
