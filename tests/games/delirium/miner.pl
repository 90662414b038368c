% A miner in the game's own interface: step on a diamond beside him, else to the right while he can, else down.
:- module(decision, [init/1, move/12]).

init(_).

move(L, _, _, _, Pos, Size, CGE, _, _, _, _, Action) :-
    member(Code-Action, [2-1, 2-4, 2-2, 2-3, 21-1, 21-4, 0-1, 1-1, 0-4, 1-4]),
    ( Code =:= 21 -> CGE =:= 1 ; true ),
    beside(Action, Pos, Size, Index),
    nth0(Index, L, Code),
    !.
move(_, _, _, _, _, _, _, _, _, _, _, 0).

beside(1, Pos, _, Index) :- Index is Pos + 1.
beside(2, Pos, Size, Index) :- Index is Pos - Size.
beside(3, Pos, _, Index) :- Index is Pos - 1.
beside(4, Pos, Size, Index) :- Index is Pos + Size.
