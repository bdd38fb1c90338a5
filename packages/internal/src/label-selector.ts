import { textField } from './resource-fields.ts'

/** Labels by their names. */
export type Labels = Readonly<Record<string, string>>

const name = /^[\w.-]{1,63}$/
const value = /^[^,;\p{Cc}]{1,255}$/u

const form = 'Must be labels such as region=eu,plan=gold; a semicolon separates alternatives'

/**
 * Reads the alternatives of a selector, such as `region=eu,plan=gold;region=us`: endpoints with all labels of one of them.
 *
 * @throws TypeError for another text
 */
export function parseSelector(text: string): readonly Labels[] {
  return text.split(';').map((alternative) => {
    const pairs = alternative.split(',').map((pair) => splitPair(pair))
    if (new Set(pairs.map(([one]) => one)).size < pairs.length) throw new TypeError(form)
    return Object.fromEntries(pairs)
  })
}

/** Formats labels as a selector. @throws TypeError for labels that no selector can have */
export function formatSelector(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(labels)
  if (pairs.length === 0) throw new TypeError(form)
  for (const pair of pairs) checkPair(pair)
  return pairs.map((pair) => pair.join('=')).join(',')
}

function splitPair(text: string): readonly [string, string] {
  const end = text.indexOf('=')
  const pair = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)] as const
  checkPair(pair)
  return pair
}

function checkPair([one, other]: readonly [string, unknown]): void {
  if (typeof other !== 'string' || !name.test(one) || !value.test(other)) throw new TypeError(form)
}

/** The schema of a selector. */
export const selectorField = textField({ min: 3, max: 1000, example: 'region=eu' }).refine(isSelector, form)

function isSelector(text: string): boolean {
  try {
    return parseSelector(text).length > 0
  } catch {
    return false
  }
}
