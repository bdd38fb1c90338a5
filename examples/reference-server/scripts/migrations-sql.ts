/**
 * Prints all migrations of the server's tables on PostgreSQL, for operators who run migrations with another tool and
 * start the server with `MIGRATE=0`. Run it with `npm run --silent migrations:sql -w examples/reference-server`.
 */
import { migrationSql } from '@sallyport/sql/postgres'
import { migrations, migrationTable } from '../src/database/migrations/index.ts'

for (const [part, printed] of [
  ['inbox', await migrationSql()],
  ['server', await migrationSql({ migrations, table: migrationTable })],
] as const) {
  for (const { name, sql } of printed) process.stdout.write(`-- ${part}: ${name}\nbegin;\n${sql}commit;\n\n`)
}
