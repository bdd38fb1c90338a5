import {
  PostgresDialect,
  PostgresQueryCompiler,
  type CompiledQuery,
  type PostgresPool,
  type QueryCompiler,
} from 'kysely'

/** A PostgreSQL dialect whose statements qualify this package's tables with a schema. */
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
  'body_objects',
  'unused_objects',
  'delivery_bodies',
  'delivery_values',
  'events',
  'lanes',
  'idempotency_keys',
  'notifications',
  'notification_batches',
  'failures',
  'lanes',
  'sequences',
  'bus_events',
  'bus_consumers',
  'bus_settled',
  'bus_waiting',
  'bus_dead_letters',
  'queued_events',
  'queue_consumers',
  'replay_jobs',
  'encryption_keys',
  'unprocessed_deliveries',
  'sallyport_migrations',
]
const names = tables.join('|')

// Values are parameters, so the text of a statement contains only the SQL of this package.
const tablePlaces = new RegExp(`\\b(from|into|update|join|using)\\s+"?(${names})"?(?![\\w.])`, 'g')
const sequencePlaces = new RegExp(`'((?:${names})_sequence_seq)'`, 'g')

/** Qualifies tables in raw SQL, which Kysely's own `withSchema` does not change. */
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
      .replace(sequencePlaces, (_, name: string) => quoteText(`${schema}.${name}`))
    return { ...compiled, sql: text }
  }
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

// The E prefix gives a backslash the same meaning under every standard_conforming_strings.
export const quoteText = (text: string): string =>
  `${text.includes('\\') ? 'E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
