/**
 * The problem of a field of a request. Programs compare codes; messages are for people and may change. Schemas and
 * handlers may use further upper-case codes.
 */
export type ValidationCode =
  | 'REQUIRED'
  | 'WRONG_TYPE'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'TOO_FEW'
  | 'TOO_MANY'
  | 'TOO_SMALL'
  | 'TOO_LARGE'
  | 'NOT_MULTIPLE'
  | 'NOT_ONE_OF'
  | 'INVALID_FORMAT'
  | 'INVALID_ENCODING'
  | 'INVALID_CURSOR'
  | 'UNKNOWN'
  | 'DUPLICATE'
  | 'CONFLICTING'
  | 'INVALID'

/** An issue of zod. The other fields depend on its code. */
export interface ZodIssue {
  readonly code?: string
  readonly input?: unknown
  readonly path?: readonly PropertyKey[]
  readonly expected?: string
  readonly origin?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly inclusive?: boolean
  readonly exact?: boolean
  readonly format?: string
  readonly pattern?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly includes?: string
  readonly divisor?: number | bigint
  readonly values?: readonly unknown[]
  readonly discriminator?: string
  readonly options?: readonly unknown[]
  readonly errors?: readonly (readonly ZodIssue[])[]
  readonly params?: Readonly<Record<string, unknown>>
}

interface IssueDescription {
  readonly code: ValidationCode | (string & {})
  readonly message: string
}

/** Describes an issue of zod by its code and limits. No message contains the input. */
export function describeIssue(issue: ZodIssue): IssueDescription {
  if (isMissing(issue)) return { code: 'REQUIRED', message: 'Required' }
  switch (issue.code ?? '') {
    case 'invalid_type':
      return { code: 'WRONG_TYPE', message: `Must be ${nameType(issue)}` }
    case 'too_small':
      return describeLimit(issue, 'least', issue.minimum)
    case 'too_big':
      return describeLimit(issue, 'most', issue.maximum)
    case 'not_multiple_of':
      return { code: 'NOT_MULTIPLE', message: `Must be a multiple of ${issue.divisor}` }
    case 'invalid_value':
      return describeChoice(issue.values)
    case 'invalid_format':
      return { code: 'INVALID_FORMAT', message: describeFormat(issue) }
    case 'invalid_union':
      return issue.options === undefined ? describeUnion(issue) : describeChoice(issue.options)
    default: {
      const { code } = issue.params ?? {}
      return { code: typeof code === 'string' ? code : 'INVALID', message: 'Not valid' }
    }
  }
}

const codesOfMissingValues = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

function isMissing({ code, input, discriminator }: ZodIssue): boolean {
  if (!codesOfMissingValues.has(code ?? '')) return false
  if (discriminator === undefined) return input === undefined
  return typeof input === 'object' && input !== null && !Object.hasOwn(input, discriminator)
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  file: 'a file',
  never: 'omitted',
}

const nameType = ({ expected = '' }: ZodIssue): string => types[expected] ?? expected

const units: Readonly<Record<string, string>> = {
  string: 'character',
  file: 'byte',
  array: 'item',
  set: 'item',
}

function describeLimit(
  { origin = '', inclusive, exact }: ZodIssue,
  side: 'least' | 'most',
  limit: number | bigint = 0,
): IssueDescription {
  const unit = units[origin]
  const kind = unit === 'character' ? 'length' : unit === 'item' ? 'count' : 'amount'
  const value = origin === 'date' ? new Date(Number(limit)).toISOString() : String(limit)
  const amount = unit === undefined ? value : `${value} ${unit}${value === '1' ? '' : 's'}`
  const relation =
    exact === true
      ? 'exactly'
      : inclusive !== false
        ? `at ${side}`
        : side === 'least'
          ? 'more than'
          : 'less than'
  return {
    code: limitCodes[side][kind],
    message: `Must ${kind === 'count' ? 'have' : 'be'} ${relation} ${amount}`,
  }
}

const limitCodes = {
  least: { length: 'TOO_SHORT', count: 'TOO_FEW', amount: 'TOO_SMALL' },
  most: { length: 'TOO_LONG', count: 'TOO_MANY', amount: 'TOO_LARGE' },
} as const

function describeChoice(values: readonly unknown[] = []): IssueDescription {
  const list = values.map(String).join(', ')
  return { code: 'NOT_ONE_OF', message: values.length === 1 ? `Must be ${list}` : `Must be one of: ${list}` }
}

/** A union of plain types names them. Other unions have too many ways to fail. */
function describeUnion({ errors = [] }: ZodIssue): IssueDescription {
  const issues = errors.map(([first]) => first)
  const isPlain = issues.every((one) => one?.code === 'invalid_type' && one.path?.length === 0)
  if (!isPlain || issues.length === 0)
    return { code: 'INVALID', message: 'Must have one of the allowed forms' }
  const names = new Set(issues.map((one) => nameType(one as ZodIssue)))
  return { code: 'WRONG_TYPE', message: `Must be ${[...names].join(' or ')}` }
}

const formats: Readonly<Record<string, string>> = {
  email: 'an email address, such as ada@example.org',
  url: 'a URL, such as https://example.org',
  uuid: 'a UUID',
  guid: 'a UUID',
  date: 'an ISO 8601 date, such as 2026-01-31',
  datetime: 'an ISO 8601 date and time, such as 2026-01-31T12:00:00Z',
  time: 'an ISO 8601 time, such as 12:00:00',
  duration: 'an ISO 8601 duration, such as PT15M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'text in base64',
  base64url: 'text in base64url',
  e164: 'a telephone number, such as +4930123456',
  lowercase: 'lower case',
  uppercase: 'upper case',
}

function describeFormat({
  format = '',
  pattern = '',
  prefix = '',
  suffix = '',
  includes = '',
}: ZodIssue): string {
  switch (format) {
    case 'regex':
    case 'template_literal':
      return `Must match the pattern ${pattern}`
    case 'starts_with':
      return `Must start with ${prefix}`
    case 'ends_with':
      return `Must end with ${suffix}`
    case 'includes':
      return `Must contain ${includes}`
    default:
      return `Must be ${formats[format] ?? `a valid ${format}`}`
  }
}
