import { createTable, inserts, testListLoader } from '@sallyport/test-support/lists'
import { describeWith } from '@sallyport/test-support/services'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPrismaLoader } from '../src/prisma.ts'
import { openPrisma } from './prisma-client.ts'

describeWith('postgres', (postgres) => {
  let pool: pg.Pool
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: postgres().url })
    // The collation C compares text by code units, as an array does.
    await pool.query(createTable('"Book"', 'timestamptz(3)').replaceAll('text', 'text collate "C"'))
    for (const insert of inserts('"Book"', (time) => `'${time.toISOString()}'`)) await pool.query(insert)
  })
  afterAll(() => pool.end())

  describe('the loader of Prisma on PostgreSQL', () => {
    let prisma: ReturnType<typeof openPrisma>
    afterAll(() => prisma.$disconnect())
    testListLoader(async () => {
      prisma = openPrisma(pool, 'public')
      return await Promise.resolve(
        createPrismaLoader({
          find: (page) => prisma.book.findMany(page),
          count: (where) => prisma.book.count({ where }),
        }),
      )
    })
  })
})
