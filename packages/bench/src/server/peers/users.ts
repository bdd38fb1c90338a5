import Database from 'better-sqlite3'
import { join } from 'node:path'

/** The queries of the peers on the database of the reference server. */
export interface Users {
  readonly get: (id: string) => User | undefined
  readonly list: (limit: number, offset: number) => { readonly rows: readonly User[]; readonly total: number }
}

interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
}

/** Opens the database on the main thread, with prepared statements. */
export function openUsers(directory: string): Users {
  const db = new Database(join(directory, 'sallyport.db'), { fileMustExist: true })
  const one = db.prepare<[string], User>('select * from users where id = ?')
  const page = db.prepare<[number, number], User>(
    'select * from users order by created_at desc, id desc limit ? offset ?',
  )
  const count = db.prepare<[], { total: number }>('select count(*) as total from users')
  return {
    get: (id) => one.get(id),
    list: (limit, offset) => ({ rows: page.all(limit, offset), total: count.get()?.total ?? 0 }),
  }
}

/** Selects the public fields of a row. */
export function toUser({ id, email, name, role, status, created_at, updated_at }: User): User {
  return { id, email, name, role, status, created_at, updated_at }
}
