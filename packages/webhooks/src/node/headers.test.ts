import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestHeaders } from './request.ts'

const headerName = fc.oneof(
  fc.constantFrom('Accept', 'ACCEPT', 'accept', 'X-Signature', 'x-signature', '__proto__', 'constructor'),
  fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/),
)
const headerValue = fc.stringMatching(/^([!-~]([ -~]{0,10}[!-~])?)?$/)

describe('RequestHeaders', () => {
  it('has the values of Headers in fetch', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(headerName, headerValue)), headerName, (pairs, other) => {
        const headers = new RequestHeaders({ rawHeaders: pairs.flat() })
        const expected = new Headers(pairs)
        for (const name of [other, ...pairs.map(([one]) => one)]) {
          for (const spelling of [name, name.toLowerCase(), name.toUpperCase()])
            expect(headers.get(spelling)).toBe(expected.get(spelling))
        }
        expect(new Map(headers)).toEqual(new Map(expected))
      }),
    )
  })
})
