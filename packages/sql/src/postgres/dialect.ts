import {
  PostgresDialect,
  PostgresQueryCompiler,
  type CompiledQuery,
  type PostgresPool,
  type QueryCompiler,
} from 'kysely'

/** PostgreSQL whose statements name this package's tables with the schema that they are in. */
export class SchemaDialect extends PostgresDialect {
  readonly #schema: string | undefined

  constructor(pool: PostgresPool, schema: string | undefined) {
    super({ pool })
    this.#schema = schema
  }

  override createQueryCompiler(): QueryCompiler {
    return this.#schema === undefined ? super.createQueryCompiler() : new SchemaCompiler(this.#schema)
  }
}

const tables = [
  'deliveries',
  'delivery_bodies',
  'events',
  'idempotency_keys',
  'notifications',
  'failures',
  'sequences',
  'bus_events',
  'queued_events',
]
const names = tables.join('|')

// Values are parameters, so that all there is of a statement's text is this package's own.
const tablePlaces = new RegExp(`\\b(from|into|update|join|using)\\s+"?(${names})"?(?![\\w.])`, 'g')
const sequencePlaces = new RegExp(`nextval\\('((?:${names})_sequence_seq)'\\)`, 'g')

/** Most statements are raw SQL, which Kysely's own `withSchema` leaves as it is. */
class SchemaCompiler extends PostgresQueryCompiler {
  readonly #schema: string

  constructor(schema: string) {
    super()
    this.#schema = schema
  }

  override compileQuery(...query: Parameters<QueryCompiler['compileQuery']>): CompiledQuery {
    const compiled = super.compileQuery(...query)
    const schema = quoteName(this.#schema)
    const text = compiled.sql
      .replace(tablePlaces, (_, word: string, name: string) => `${word} ${schema}.${name}`)
      .replace(sequencePlaces, (_, name: string) => `nextval(${quoteText(`${schema}.${name}`)})`)
    return { ...compiled, sql: text }
  }
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

// With E, a backslash means the same whatever standard_conforming_strings says.
export const quoteText = (text: string): string =>
  `${text.includes('\\') ? 'E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
