import { describe, expect, it } from 'vitest'
import { formatTable, omitEmpty } from './table.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('formatTable', () => {
  it('aligns columns without a terminal', () => {
    const rows = [['codehost', 'a'.repeat(100), id]]
    expect(formatTable(['provider', 'kind', 'id'], rows, undefined)).toEqual([
      `provider  ${'kind'.padEnd(100)}  id`,
      `codehost  ${'a'.repeat(100)}  ${id}`,
    ])
  })

  it('cuts the widest column to the width of the terminal and keeps the id', () => {
    const lines = formatTable(['provider', 'kind', 'id'], [['codehost', 'a'.repeat(100), id]], 80)
    expect(lines.map(({ length }) => length)).toEqual([
      'provider  kind  '.length + 80 - 8 - 2 - 36 - 2 - 4 - 2 + 4,
      80,
    ])
    expect(lines[1]).toMatch(new RegExp(`^codehost  a+…  ${id}$`))
  })

  it('replaces control characters', () => {
    expect(formatTable(['name', 'id'], [['a\u001b[2J\u202eb', '1']], 80)[1]).toBe('a [2J b  1')
  })
})

it('omits a column without a value', () => {
  const head = ['endpoint', 'id']
  expect(omitEmpty('endpoint', head, [['-', 'a']])).toEqual([['id'], [['a']]])
  const named = [
    ['-', 'a'],
    ['Acme', 'b'],
  ]
  expect(omitEmpty('endpoint', head, named)).toEqual([head, named])
})
