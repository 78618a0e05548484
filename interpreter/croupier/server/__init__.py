"""Games in the browser: tables with a link for each seat, bots in the other seats, everything kept in SQLite.

In: a ruleset, who plays, and requests of browsers. Out: pages, and for each seat what that seat may know, as
JSON.

    hosted_match.py  a game that several people and bots play
    match_time.py    blocks of rules that take their time (`for 10 seconds`), and who sees what meanwhile
    single_options.py  decisions without a choice, which are taken and told
    clock.py         what time it is, and what is to be done when
    store.py         tables and their choices in SQLite, a row each; what was acknowledged is on the disk
    tables.py        the tables that are open: made, found again, chosen at; seats known by their tokens
    player_names.py  names that imitate others are refused; `confusables.txt` says what looks alike
    rules.py         the rulesets: those that are offered, as their files are, those of tables, as they were
    rule_sources.py  the files of a ruleset, kept together, and the ruleset from them
    seat_keys.py     the link and the keys of one seat
    keys.py          links of seats: given out, exchanged for keys, issued again, revoked
    seating.py       whose a request is: the seat that its tab names, the keys that its browser holds
    refusals.py      requests that are not possible, with words
    page.py          what one seat is sent: its view, its log, the words of the rules
    replay_page.py   a saved game as one HTML file
    uses.py          when tables were used last, who made them, how long they are kept
    sweeping.py      forgotten tables go, and those that make room where there are too many
    stored.py        the tables in a file, for whoever runs the server: listed, saved, removed
    access.py        who may ask what: hosts, origins, headers, sizes, rates
    addresses.py     who stands behind an address, as bounds count; proxies
    connections.py   bounds and deadlines of connections, for uvicorn
    streams.py       bounds of the streams of news
    turns.py         how many requests of one visitor are worked on at once
    live.py          what open pages ask for all the time: news, choosing, taking back
    app.py           the other routes, for Starlette; listening, with uvicorn
    pages/           HTML, CSS and JavaScript, served as they are

How it can be wrong, and what keeps it right:

- A seat could be sent more than it may see. What is sent is a function of `view(state, seat)`, of
  `state.events(seat)` and of the ruleset; its version is a hash of that text, so not even a counter moves
  when something happens that the seat does not notice.
- The time could tell who was asked. A block of rules that takes its time takes it whoever acts: until it is
  over, nothing is sent but to whoever is asked in it.
- Somebody could act for another. A seat is known by a token that nobody can guess; it stands behind the # of
  a link, which browsers send nowhere, is exchanged once for a cookie that no script reads, and only its hash
  is stored. Whoever gave the links out cannot use those that others have used; what they issue again is told
  to all. Two tabs of a browser may have two seats: each names its own, and its cookie proves it. Other
  sites are refused by their origin, other names of this machine by the host.
- An edit of the rules could lock a table, or change a game that was begun. The files of a table's rules are
  in the store, by the hash of the rules; it is played again with these.
- A choice could be lost, or made twice. It is answered when it is on the disk; it names the version that it
  was made at, and is refused at another.
- A ruleset, a name or a text could be markup. Pages make every text a text node; the policy of the pages
  allows no script of anybody else.
- A browser could ask for anything. Rulesets are those that whoever started the server offers, bots those
  without arguments; bodies, rates, tables and waiting requests are bounded.
- One visitor could keep the others out. Requests have deadlines; connections, streams, tables and rates are
  bounded for each visitor and for all; where a bound is reached, what waits or is unused for longest makes
  room. Whom a request comes from is what the connection says, unless that is a proxy that was named.
"""
