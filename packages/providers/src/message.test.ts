import type { Message } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lines, createNotify, oneLine, phrase, webLinks } from './message.ts'

describe('oneLine', () => {
  it.each([
    ['\u0000\u001B[31mred\u007F', '[31mred'],
    ['first\r\n\tsecond', 'first second'],
    ['first\u2028second', 'first second'],
    ['first\u2029second', 'first second'],
    ['invoice\u202Efdp.exe\u2066', 'invoice fdp.exe'],
    ['one\ntwo\nthree', 'one two three'],
    ['  around \n', 'around'],
    ['half \uD83D', 'half \uFFFD'],
  ])('cleans %j to %j', (text, line) => {
    expect(oneLine(text)).toBe(line)
  })

  it('truncates to a number of characters with an ellipsis', () => {
    expect(oneLine('a'.repeat(120))).toBe('a'.repeat(120))
    expect(oneLine('a'.repeat(121))).toBe(`${'a'.repeat(119)}…`)
    expect(oneLine('𝄞'.repeat(10), 10)).toBe('𝄞'.repeat(10))
    expect(oneLine('𝄞'.repeat(11), 10)).toBe(`${'𝄞'.repeat(9)}…`)
  })

  it('reads at most four times the maximum length', () => {
    expect(oneLine(`${'\n'.repeat(39)}abc`, 10)).toBe('a')
  })

  it('becomes a phrase unless it is empty', () => {
    expect(phrase(' by ', 'Alice')).toBe(' by Alice')
    expect(phrase(' by ', 'Alice', 3)).toBe(' by Al…')
    for (const text of [null, '', ' \n', '\u202E']) expect(phrase(' by ', text)).toBe('')
  })

  it('becomes a line unless it is empty', () => {
    expect(lines('', 'one', '', 'two', '')).toBe('one\ntwo')
  })
})

describe('links', () => {
  const createLinks = (url: string | null) => webLinks([{ label: 'Here', url }])

  it('are HTTPS, as a browser parses them', () => {
    expect(createLinks('HTTPS://Example.com/a b"')).toEqual([
      { label: 'Here', url: 'https://example.com/a%20b%22' },
    ])
    for (const url of [
      null,
      '',
      'example.com',
      'http://example.com',
      'javascript:alert(1)',
      'httpsx://example.com',
    ])
      expect(createLinks(url)).toEqual([])
  })

  it('are at most as long as chat services accept', () => {
    const path = 'https://example.com/'
    expect(createLinks(path.padEnd(2000, 'x'))).toHaveLength(1)
    expect(createLinks(path.padEnd(2001, 'x'))).toEqual([])
  })
})

describe('createNotify', () => {
  const bell = z.object({
    tower: z.string().transform((name) => name.toUpperCase()),
  })
  const notify = createNotify(
    { 'bell.rung': bell },
    {
      'bell.rung': ({ tower }): Message => ({
        title: `${tower} rang`,
        text: '',
        severity: 'warning',
      }),
    },
  )
  const about = (name: string, data: unknown, manual = false) =>
    notify({ name, data, source: { manual } } as never)

  it('passes data as parsed by the schema of the kind', () => {
    const announce = { title: 'NORTH rang', text: '', severity: 'warning' }
    expect(about('church/bell.rung', { tower: 'north' })).toEqual(announce)
    expect(about('church/bell.rung', { tower: 'north' }, true)).toEqual({
      ...announce,
      title: 'Test: NORTH rang',
    })
  })

  it.each([
    ['church/bell.rung', { tower: 5 }],
    ['church/bell.rung', null],
    ['church/bell.cast', { tower: 'north' }],
    ['church/toString', { tower: 'north' }],
    ['church/old/bell.rung', { tower: 'north' }],
  ])('shows no data of %s with %j', (name, data) => {
    for (const manual of [true, false]) {
      expect(about(name, data, manual)).toEqual({
        title: `Test: ${name}`,
        text: 'A manual test delivery arrived. Its payload is not the data of this kind of event.',
        severity: 'info',
      })
    }
  })

  it('truncates a long event name', () => {
    expect(about(`church/\n${'x'.repeat(200)}`, null).title).toBe(`Test: church/ ${'x'.repeat(111)}…`)
  })
})
