/* SPDX-License-Identifier: Apache-2.0
 *
 * A slab that one client hands on to another: do two clients ever write to it, and does it become
 * free again?
 *
 * A has a slab and tells B by a message; B writes to it with its own key. C takes slabs. The server
 * may find A or B dead at any time: it releases and drains the key, then frees the slabs of the
 * dead one. A sends its message after a compare-and-swap of the owner word from A to B has ended
 * (rule 4), and each sweep frees slabs of clients that are not members (rule 5).
 *
 *   NO_OWNER  A tells B without the swap of the owner word (rule 4)
 *   ONCE      the server gives back once, at the death, and not at each sweep (rule 5)
 */
#define A 1
#define B 2
#define C 3

byte owner = A; /* of the slab; 0: it is free */
bit key[4], gone[4];
bit told;
bit writes[4];  /* it believes that it owns the slab, and its key is valid */

#define ALONE(c) assert(writes[A] + writes[B] + writes[C] <= 1)

proctype first()
{
    d_step { writes[A] = key[A] }
    writes[A] = 0; /* it stops writing before it hands on */
#ifndef NO_OWNER
    if
    :: d_step { key[A] && owner == A -> owner = B }
    :: !key[A] || owner != A -> goto over
    fi;
#endif
    told = 1;
over:
    skip
}

proctype second()
{
end:
    told;
    if
    :: d_step { key[B] -> writes[B] = 1; ALONE(B) }
        d_step { writes[B] = 0;
#ifndef NO_OWNER
            if :: key[B] && owner == B -> owner = 0 :: else fi
#endif
        }
    :: !key[B]
    fi
}

proctype third()
{
end:
    d_step { owner == 0 -> owner = C; writes[C] = 1; ALONE(C) }
    d_step { writes[C] = 0; owner = 0 }
}

proctype server()
{
    byte dead;

end:
    do
    :: atomic { !gone[A] -> dead = A } goto dies
    :: atomic { !gone[B] -> dead = B } goto dies
#ifndef ONCE
    :: d_step { owner != 0 && gone[owner] -> owner = 0 }
#endif
    od;
dies:
    skip;
    d_step { key[dead] = 0; gone[dead] = 1; writes[dead] = 0 }
#ifdef ONCE
    d_step { if :: owner == dead -> owner = 0 :: else fi }
#endif
    goto end
}

proctype ends()
{
    timeout;
    assert(owner == 0 || !gone[owner])
}

init
{
    atomic { key[A] = 1; key[B] = 1; key[C] = 1; run first(); run second(); run third(); run server(); run ends() }
}
