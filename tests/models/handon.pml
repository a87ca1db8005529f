/* SPDX-License-Identifier: Apache-2.0
 *
 * A slab that one client hands on to another: do two ever write there, and does it come back?
 *
 * A has a slab and tells B of it by a message; B writes there by its own key.  C takes slabs.  The
 * server may find A or B dead at any time: the key is released and drained, then it gives back what
 * the dead one has.  A tells B after the owner word was swapped from A to B by a compare-and-swap
 * that has ended (rule 4), and each sweep gives back what belongs to no member (rule 5).
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
bit writes[4];  /* believes that the slab is its own, and its key is good */

#define ALONE(c) assert(writes[A] + writes[B] + writes[C] <= 1)

proctype first()
{
    d_step { writes[A] = key[A] }
    writes[A] = 0; /* it writes no more before it hands on */
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
