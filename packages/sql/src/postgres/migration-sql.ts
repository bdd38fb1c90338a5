import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely'
import type { Migration } from 'kysely/migration'
import { migrationTable } from '../migrations/migrations.ts'
import { inboxMigrations } from './migrations.ts'
import { quoteName, quoteText } from './dialect.ts'
import { lockRetries } from './migration-locks.ts'

export interface MigrationSqlOptions {
  /** The migrations to print. @default those of the inbox, the embedded bus and the shared queue */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** The table of applied migrations; required with `migrations`. @default that of the inbox */
  readonly table?: string
  /** The schema of the tables, as in `openPostgres`. @default the first of the session's `search_path` */
  readonly schema?: string
}

/** A migration as SQL. */
export interface MigrationSql {
  readonly name: string
  /**
   * Statements that end with `;` and a new line. Run them in one transaction, once, in the order of names. A statement
   * waits for a lock for two seconds and then fails with `55P03`: roll back, and retry. `search_path` and `lock_timeout`
   * are restored at the end.
   */
  readonly sql: string
}

/**
 * Prints migrations as SQL, for other migration tools: the statements of `migrate` on an empty database, with the rows
 * that mark the migrations as applied. A migration must run the same statements on every database.
 *
 * @throws TypeError for a migration that reads or has parameters, or for only one of `migrations` and `table`
 *
 * @example
 * ```ts
 * import { migrationSql } from '@sallyport/sql/postgres'
 *
 * for (const { name, sql } of await migrationSql({ schema: 'sallyport' })) {
 *   process.stdout.write(`-- ${name}\n${sql}`)
 * }
 * ```
 */
export async function migrationSql(options: MigrationSqlOptions = {}): Promise<readonly MigrationSql[]> {
  const { migrations = inboxMigrations, table = migrationTable, schema } = options
  if ((options.migrations === undefined) !== (options.table === undefined))
    throw new TypeError(
      'Migrations and their table belong together: pass both, or none for those of the inbox',
    )
  const place = schema === undefined ? '' : `${quoteName(schema)}.`
  const session = sessionStatements(schema)
  const known = place + quoteName(table)
  const lock = place + quoteName(`${table}_lock`)
  const bookkeeping = [
    `create table if not exists ${known} ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`,
    `create table if not exists ${lock} ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)`,
    `insert into ${lock} ("id", "is_locked") values ('migration_lock', 0) on conflict do nothing`,
  ]
  const printed: MigrationSql[] = []
  for (const name of Object.keys(migrations).sort()) {
    const statements = [
      ...session.before,
      ...(printed.length === 0 ? bookkeeping : []),
      ...(await printStatements(name, migrations[name])),
      `insert into ${known} ("name", "timestamp") values (${quoteText(name)}, ${nextIn(known)})`,
      ...session.after,
    ]
    printed.push({ name, sql: statements.map((statement) => `${statement};\n`).join('') })
  }
  return printed
}

/** Statements that select the schema, and restore the session afterwards. */
function sessionStatements(
  schema: string | undefined,
): Readonly<Record<'before' | 'after', readonly string[]>> {
  // Waiting for a lock blocks all later statements on the table, for as long as a backup takes.
  const setLockTimeout = [
    saveSetting('lock_timeout'),
    `set local lock_timeout = '${lockRetries.lockTimeoutMs}ms'`,
  ]
  const restoreLockTimeout = restoreSetting('lock_timeout', { local: true })
  if (schema === undefined) return { before: setLockTimeout, after: [restoreLockTimeout] }
  const name = quoteName(schema)
  // `create schema if not exists` requires the privilege even when the schema exists.
  const make = `begin if to_regnamespace(${quoteText(name)}) is null then create schema ${name}; end if; end`
  return {
    before: [
      ...setLockTimeout,
      `do ${quoteText(make)}`,
      saveSetting('search_path'),
      `set search_path to ${name}`,
    ],
    after: [restoreSetting('search_path', { local: false }), restoreLockTimeout],
  }
}

const saveSetting = (setting: string) =>
  `select set_config('sallyport.${setting}', current_setting('${setting}'), false)`

const restoreSetting = (setting: string, { local }: { readonly local: boolean }) =>
  `select set_config('${setting}', current_setting('sallyport.${setting}'), ${local})`

// The migrator uses this order, and the clock of an earlier migration may have been ahead.
const nextIn = (known: string) => `greatest(${present}, (select max("timestamp") from ${known}))`

// The format of the migrator.
const present = `to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

async function printStatements(name: string, migration: Migration | undefined): Promise<readonly string[]> {
  const statements: CompiledQuery[] = []
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query)
    },
  })
  await migration?.up(db)
  if (statements.some(({ parameters, sql }) => parameters.length > 0 || /^\s*(?:select|with)\b/i.test(sql)))
    throw new TypeError(`The migration ${name} depends on the database, and cannot be printed`)
  return statements.map(({ sql }) => sql.trim())
}
