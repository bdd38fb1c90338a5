import { expect, it } from 'vitest'
import { formatSelector, parseSelector, selectorField } from './label-selector.ts'

it('reads alternatives of labels', () => {
  expect(parseSelector('region=eu')).toEqual([{ region: 'eu' }])
  expect(parseSelector('region=eu,plan=a=b c;x.y-z=1')).toEqual([
    { region: 'eu', plan: 'a=b c' },
    { 'x.y-z': '1' },
  ])
})

it.each([
  ...['', 'region', 'region=', '=eu', 'region=eu,', 'region=eu;', ';region=eu', 'region=eu,region=us'],
  ...['re gion=eu', 'region=e\nu', `region=${'u'.repeat(256)}`],
])('refuses %j', (text) => {
  expect(() => parseSelector(text)).toThrow(TypeError)
  expect(selectorField.safeParse(text).success).toBe(false)
})

it('formats labels that it can read', () => {
  expect(formatSelector({ region: 'eu', plan: 'gold' })).toBe('region=eu,plan=gold')
  for (const labels of [{}, { region: 'eu,plan=gold' }, { region: 'eu;region=us' }, { 'a=b': 'c' }])
    expect(() => formatSelector(labels)).toThrow(TypeError)
})
