import { sql, type Kysely } from 'kysely'
import { openPostgres } from '../src/postgres/index.ts'

const [url = ''] = process.argv.slice(2)
const database = await openPostgres({ url })
const runs = {
  async up(db: Kysely<unknown>) {
    await sql`create table if not exists runs (at timestamptz)`.execute(db)
    // Long enough for the other process to come by in the middle.
    await sql`select pg_sleep(1)`.execute(db)
    await sql`insert into runs values (now())`.execute(db)
  },
}
await database.migrate({ '0001-runs': runs }, { table: 'test_migrations' })
await database.close()
process.stdout.write('migrated\n')
