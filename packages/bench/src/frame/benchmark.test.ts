import { describe, expect, it } from 'vitest'
import { checkDeclaration, type Target } from './benchmark.ts'

const side = (name: string) => ({ name, does: 'something' })
const declare = (sides: readonly string[], base: string, target?: Target) => () => {
  checkDeclaration({
    name: 'it',
    what: 'Does it.',
    sides: sides.map(side),
    base,
    ...(target && { target }),
  })
}

describe('a declaration', () => {
  it('accepts two sides and a base', () => {
    expect(declare(['a', 'b'], 'a', { side: 'b', atLeast: 0.8 })).not.toThrow()
  })

  it.each([
    ['one side', declare(['a'], 'a'), 'fewer than two'],
    ['the same name twice', declare(['a', 'a'], 'a'), 'the same name'],
    ['an unknown base', declare(['a', 'b'], 'c'), 'the base "c"'],
    ['a target for an unknown side', declare(['a', 'b'], 'a', { side: 'c', atLeast: 1 }), 'side "c"'],
    [
      'a target relative to an unknown side',
      declare(['a', 'b'], 'a', { side: 'b', than: 'c', atLeast: 1 }),
      'side "c"',
    ],
    ['a target without a bound', declare(['a', 'b'], 'a', { side: 'b' }), 'either'],
    ['a target with two bounds', declare(['a', 'b'], 'a', { side: 'b', atLeast: 1, atMost: 2 }), 'either'],
  ])('rejects %s', (_, check, reason) => {
    expect(check).toThrow(reason)
  })
})
