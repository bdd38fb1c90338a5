import { createTokenIssuer } from '@sallyport/auth'
import { checkRoutes, createTestClient } from '@sallyport/rest/testing'
import { expect, it } from 'vitest'
import { createMyApi } from '../src/api.ts'
import { bookMigrations } from '../src/books.ts'
import { createTokenOptions } from '../src/tokens.ts'
import { openTestDatabase } from './database.ts'

const secret = 'a secret of the tests with at least 32 bytes'
const issuer = createTokenIssuer(createTokenOptions(secret))
const api = createMyApi(await openTestDatabase(bookMigrations), secret)

const authorize = async (sub: string) => `Bearer ${(await issuer.issue({ sub })).token}`
/** Creates a client of a user that calls the API in process. */
const logIn = (sub: string) => createTestClient(api, { authorization: () => authorize(sub) })

const emma = { title: 'Emma', author: 'Jane Austen' }

async function createBook(sub: string) {
  const created = await logIn(sub).post('/books', { body: emma })
  if (!created.ok) throw new Error(created.code)
  return created.data.id
}

it('creates, lists and deletes the books of a user', async () => {
  const ada = logIn('ada')
  const id = await createBook('ada')
  expect(await Array.fromAsync(ada.list('/books'))).toEqual([{ id, ...emma }])
  expect(await ada.delete('/books/{id}', { params: { id } })).toMatchObject({ status: 204 })
  expect(await Array.fromAsync(ada.list('/books'))).toEqual([])
})

it('does not show the books of others', async () => {
  const id = await createBook('ada')
  const bob = logIn('bob')
  expect(await bob.get('/books/{id}', { params: { id } })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await Array.fromAsync(bob.list('/books'))).toEqual([])
})

it('needs a token', async () => {
  const created = await createTestClient(api).post('/books', { body: emma })
  expect(created).toMatchObject({ status: 401, code: 'TOKEN_MISSING' })
})

it('answers any request only as its routes declare', { timeout: 60_000 }, async () => {
  const id = await createBook('eve')
  const statuses = await checkRoutes(api, { authorization: () => authorize('eve'), values: { id: () => id } })
  expect(statuses['getBook']).toEqual(expect.arrayContaining([200, 400, 401, 404]))
})
