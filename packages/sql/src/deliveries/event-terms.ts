import type { DeliveryFilter, EventStatus } from '@sallyport/webhooks'
import { sql, type RawBuilder } from 'kysely'
import type { Subjects } from '../encryption/subjects.ts'
import { escapeText } from '../internal/text.ts'

/** The conditions on one event of a delivery. */
export interface EventConditions extends Pick<
  DeliveryFilter,
  'kind' | 'subject' | 'minAttempts' | 'error' | 'destination'
> {
  readonly subjectPrefix?: string | undefined
  /** Returns the encrypted forms of an escaped subject. @default none */
  readonly findSubject?: Subjects['find'] | undefined
}

/** Lists the stored forms of a subject. */
export const listSubjects = (
  subject: string,
  { findSubject }: Pick<EventConditions, 'findSubject'>,
): readonly string[] => {
  const stored = escapeText(subject)
  return [stored, ...(findSubject?.(stored) ?? [])]
}

export const hasConditions = ({
  kind,
  subject,
  subjectPrefix,
  minAttempts,
  error,
  destination,
}: EventConditions): boolean =>
  [kind, subject, subjectPrefix, minAttempts, error, destination].some((condition) => condition !== undefined)

/** Creates the terms of all conditions on an event `alias`. */
export function conditionTerms(alias: 'e' | 'x', conditions: EventConditions): RawBuilder<unknown> {
  const { kind, subject, subjectPrefix, minAttempts, error, destination } = conditions
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const terms: RawBuilder<unknown>[] = []
  if (kind !== undefined) terms.push(kindTerm(alias, kind))
  const isSubject = (stored: readonly string[]) =>
    joinAlternatives(stored.map((one) => sql`${column('subject')} = ${one}`))
  if (subject !== undefined) terms.push(isSubject(listSubjects(subject, conditions)))
  if (subjectPrefix !== undefined) {
    // PostgreSQL expects few rows of a comparison of texts, and would sort all events. It expects half of them here, so that a
    // list follows its index.
    const prefix = sql`cast(${escapeText(subjectPrefix)} as text)`
    const starts = sql`coalesce(${startsWith(column('subject'), prefix)}, false)`
    const [, ...sealed] = listSubjects(subjectPrefix, conditions)
    terms.push(sealed.length === 0 ? starts : sql`(${starts} or ${isSubject(sealed)})`)
  }
  if (minAttempts !== undefined) {
    const succeeded = sql`case ${column('status')} when 'published' then 1 else 0 end`
    terms.push(sql`${column('attempts')} + ${succeeded} >= ${minAttempts}`)
  }
  if (error !== undefined)
    terms.push(sql`${column('last_error')} = ${escapeText(error)} and ${column('status')} <> 'published'`)
  if (destination !== undefined) terms.push(sql`coalesce(${column('destination')}, '') = ${destination}`)
  return joinTerms(terms)
}

function kindTerm(alias: 'e' | 'x', kind: string): RawBuilder<unknown> {
  const [name, provider] = [sql.ref(`${alias}.name`), sql.ref(`${alias}.provider`)]
  const wanted = (text: string) => sql`${provider} || '/' || cast(${escapeText(text)} as text)`
  if (!kind.endsWith('*')) return sql`${name} = ${wanted(kind)}`
  return startsWith(name, wanted(kind.slice(0, -1)))
}

const startsWith = (text: RawBuilder<unknown>, prefix: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`substr(${text}, 1, length(${prefix})) = ${prefix}`

const joinAlternatives = (terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`(${sql.join(terms, sql` or `)})`

const joinTerms = (terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    terms.map((term) => sql` and ${term}`),
    sql``,
  )

/**
 * Creates a term that no index has. SQLite would otherwise prefer an index with more equal columns to the index of the
 * rarest condition.
 */
export const plainTerm = (column: string, value: string | undefined): RawBuilder<unknown> =>
  value === undefined ? sql`` : sql` and coalesce(${sql.ref(column)}, '') = ${value}`

/** Creates the terms of the index `events_by_any_subject`. */
export const subjectTerms = (stored: string): RawBuilder<unknown> =>
  sql` and substr(e.subject, 1, 200) = substr(cast(${stored} as text), 1, 200)`

/**
 * Creates the terms of the index `events_by_any_subject` for the subjects with a prefix.
 *
 * @param isPostgres PostgreSQL estimates the rows of a pattern, and its order of texts depends on the database
 */
export const subjectPrefixTerms = (prefix: string, isPostgres: boolean): RawBuilder<unknown> => {
  const start = Array.from(escapeText(prefix)).slice(0, 200).join('')
  const range = isPostgres
    ? sql`substr(e.subject, 1, 200) like ${`${start.replace(/[\\%_]/g, '\\$&')}%`}`
    : // No text with the prefix sorts after the largest code point.
      sql`substr(e.subject, 1, 200) >= ${start} and substr(e.subject, 1, 200) < ${`${start}\u{10ffff}`}`
  return sql` and ${range}`
}

/** Creates the terms of the index `events_by_error`. */
export const errorTerms = (status: EventStatus, error: string): RawBuilder<unknown> => {
  const stored = escapeText(error)
  return sql` and e.status = ${sql.lit(status)}
    and substr(e.last_error, 1, 200) = substr(cast(${stored} as text), 1, 200)
    and e.last_error is not null and e.status <> 'published'`
}

/** Creates the terms of the index `events_by_destination`. */
export const destinationTerms = (status: EventStatus, destination: string): RawBuilder<unknown> =>
  sql` and e.destination = ${destination} and e.status = ${sql.lit(status)}`

/** Creates the terms of the index `events_by_attempts`. */
export const attemptsTerms = (status: EventStatus, attempts: number): RawBuilder<unknown> =>
  sql` and e.status = ${sql.lit(status)} and e.attempts = ${attempts} and e.attempts > 0`

/** Creates the terms of the index of the events of a kind. */
export function nameTerms(status: 'published' | 'dead', provider: string, name: string): RawBuilder<unknown> {
  const indexed = status === 'dead' ? sql`e.status = 'dead'` : sql`e.published_sequence is not null`
  return sql` and e.provider = ${provider} and e.name = ${name} and ${indexed}`
}
