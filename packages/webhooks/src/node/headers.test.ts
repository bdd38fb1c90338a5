import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestHeaders } from './headers.ts'

const nameOf = fc.oneof(
  fc.constantFrom('Accept', 'ACCEPT', 'accept', 'X-Signature', 'x-signature', '__proto__', 'constructor'),
  fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/),
)
const valueOf = fc.stringMatching(/^([!-~]([ -~]{0,10}[!-~])?)?$/)

describe('RequestHeaders', () => {
  it('are those of fetch', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nameOf, valueOf)), nameOf, (pairs, other) => {
        const headers = new RequestHeaders({ rawHeaders: pairs.flat() })
        const expected = new Headers(pairs)
        for (const name of [other, ...pairs.map(([one]) => one)]) {
          for (const asked of [name, name.toLowerCase(), name.toUpperCase()])
            expect(headers.get(asked)).toBe(expected.get(asked))
        }
        expect(new Map(headers)).toEqual(new Map(expected))
      }),
    )
  })
})
