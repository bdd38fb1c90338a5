import { isUnencoded, parseTemplate, type TemplateSegment } from './route-path.ts'

/** A character that no template has, in the place of a value. */
const wild = ' '

/**
 * Refuses a path whose parameter can have a value that another path takes for its own value and text, as `/files/{id}.json`
 * takes the path of the id `report.json` under `/files/{id}`. A literal segment instead of a parameter is not refused.
 *
 * @throws TypeError for the first such pair
 */
export function requireUnambiguous(paths: readonly string[]): void {
  const templates = [...new Set(paths)].map((path) => ({ path, segments: parseTemplate(path) }))
  for (const taker of templates.filter(({ segments }) => segments.some(hasText))) {
    const taken = templates.find(({ segments }) => isTaken(taker.segments, segments))
    if (taken !== undefined)
      throw new TypeError(
        `${taker.path} takes requests of ${taken.path}: add one of $&+,;=:@ to its text, as in {id}:publish`,
      )
  }
}

/** Reports whether a formatted path of `path` matches `taker`, which takes precedence by the length of a text. */
function isTaken(taker: readonly TemplateSegment[], path: readonly TemplateSegment[]): boolean {
  const index = taker.findIndex((segment, at) => !isSame(segment, path[at]))
  const [first, second] = [taker[index], path[index]]
  if (taker.length !== path.length || first?.kind !== 'parameter' || second?.kind !== 'parameter')
    return false
  if (getTextLength(first) < getTextLength(second)) return false
  return taker.every((segment, at) => matches(segment, path[at] as TemplateSegment))
}

function isSame(one: TemplateSegment, other: TemplateSegment | undefined): boolean {
  if (one.kind === 'literal') return other?.kind === 'literal' && one.text === other.text
  return other?.kind === 'parameter' && one.prefix === other.prefix && one.suffix === other.suffix
}

/** Reports whether a formatted segment, of which a value has only characters that stay unencoded, matches `taker`. */
function matches(taker: TemplateSegment, segment: TemplateSegment): boolean {
  const longest = getTextLength(taker) + getTextLength(segment) + 1
  return Array.from({ length: longest }, (_, index) => index + 1).some((length) => {
    const pattern = spell(taker, length)
    const text = spell(segment, length)
    return pattern !== undefined && text !== undefined && canEqual(pattern, text)
  })
}

function canEqual(pattern: string, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const [expected, given] = [pattern.charAt(at), text.charAt(at)]
    const isFree = expected === wild || (given === wild && isUnencoded(expected))
    if (!isFree && expected !== given) return false
  }
  return true
}

const hasText = (segment: TemplateSegment): boolean =>
  segment.kind === 'parameter' && getTextLength(segment) > 0

const getTextLength = (segment: TemplateSegment): number =>
  segment.kind === 'literal' ? segment.text.length : segment.prefix.length + segment.suffix.length

/** Spells a segment with a length; undefined if it cannot have this length. */
function spell(segment: TemplateSegment, length: number): string | undefined {
  if (segment.kind === 'literal') return segment.text.length === length ? segment.text : undefined
  const rest = length - getTextLength(segment)
  return rest > 0 ? segment.prefix + wild.repeat(rest) + segment.suffix : undefined
}
