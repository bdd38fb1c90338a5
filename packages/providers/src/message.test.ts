import type { Message } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lines, notifyWith, oneLine, phrase, webLinks } from './message.ts'

describe('a text of others', () => {
  it.each([
    ['\u0000\u001B[31mred\u007F', '[31mred'],
    ['first\r\n\tsecond', 'first second'],
    ['first\u2028second', 'first second'],
    ['first\u2029second', 'first second'],
    ['invoice\u202Efdp.exe\u2066', 'invoice fdp.exe'],
    ['one\ntwo\nthree', 'one two three'],
    ['  around \n', 'around'],
    ['half \uD83D', 'half \uFFFD'],
  ])('%j becomes the line %j', (text, line) => {
    expect(oneLine(text)).toBe(line)
  })

  it('is cut to a length that counts characters, and says so', () => {
    expect(oneLine('a'.repeat(120))).toBe('a'.repeat(120))
    expect(oneLine('a'.repeat(121))).toBe(`${'a'.repeat(119)}…`)
    expect(oneLine('𝄞'.repeat(10), 10)).toBe('𝄞'.repeat(10))
    expect(oneLine('𝄞'.repeat(11), 10)).toBe(`${'𝄞'.repeat(9)}…`)
  })

  it('is looked at no further than four times its length', () => {
    expect(oneLine(`${'\n'.repeat(39)}abc`, 10)).toBe('a')
  })

  it('is a phrase when it says something', () => {
    expect(phrase(' by ', 'Alice')).toBe(' by Alice')
    expect(phrase(' by ', 'Alice', 3)).toBe(' by Al…')
    for (const text of [null, '', ' \n', '\u202E']) expect(phrase(' by ', text)).toBe('')
  })

  it('stands in a line of its own, when it says something', () => {
    expect(lines('', 'one', '', 'two', '')).toBe('one\ntwo')
  })
})

describe('links', () => {
  const urlsOf = (url: string | null) => webLinks([{ label: 'Here', url }])

  it('are those of HTTPS, as a browser would read them', () => {
    expect(urlsOf('HTTPS://Example.com/a b"')).toEqual([
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
      expect(urlsOf(url)).toEqual([])
  })

  it('are no longer than chats take them', () => {
    const path = 'https://example.com/'
    expect(urlsOf(path.padEnd(2000, 'x'))).toHaveLength(1)
    expect(urlsOf(path.padEnd(2001, 'x'))).toEqual([])
  })
})

describe('a message', () => {
  const bell = z.object({
    tower: z.string().transform((name) => name.toUpperCase()),
  })
  const notify = notifyWith(
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

  it('is made of the data as the schema of its kind has it', () => {
    const told = { title: 'NORTH rang', text: '', severity: 'warning' }
    expect(about('church/bell.rung', { tower: 'north' })).toEqual(told)
    expect(about('church/bell.rung', { tower: 'north' }, true)).toEqual({
      ...told,
      title: 'Test: NORTH rang',
    })
  })

  it.each([
    ['church/bell.rung', { tower: 5 }],
    ['church/bell.rung', null],
    ['church/bell.cast', { tower: 'north' }],
    ['church/toString', { tower: 'north' }],
    ['church/old/bell.rung', { tower: 'north' }],
  ])('of %s with %j tells none of it', (name, data) => {
    for (const manual of [true, false]) {
      expect(about(name, data, manual)).toEqual({
        title: `Test: ${name}`,
        text: 'A manual test delivery arrived. Its payload is not the data of this kind of event.',
        severity: 'info',
      })
    }
  })

  it('of a name that goes on for long does not', () => {
    expect(about(`church/\n${'x'.repeat(200)}`, null).title).toBe(`Test: church/ ${'x'.repeat(111)}…`)
  })
})
