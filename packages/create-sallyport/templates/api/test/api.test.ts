import { createTokenIssuer } from '@sallyport/auth'
import { createClient } from '@sallyport/rest/client'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { expect, it } from 'vitest'
import { createMyApi } from '../src/api.ts'
import { bookMigrations } from '../src/books.ts'
import { createTokenOptions } from '../src/tokens.ts'
import { openTestDatabase } from './database.ts'

const secret = 'a secret of the tests with at least 32 bytes'
const issuer = createTokenIssuer(createTokenOptions(secret))
const api = createMyApi(await openTestDatabase(bookMigrations), secret)

/** Creates a client of a user that calls the API in process. */
async function logIn(sub: string) {
  const { token } = await issuer.issue({ sub })
  return createClient<typeof api>({
    baseUrl: 'http://localhost',
    fetch: createFetchHandler(api),
    authorization: () => `Bearer ${token}`,
  })
}
const emma = { title: 'Emma', author: 'Jane Austen' }

it('creates a book once, lists it and deletes it', async () => {
  const ada = await logIn('ada')
  const created = await ada.post('/books', { body: emma })
  expect(created).toMatchObject({ ok: true, status: 201, data: emma })
  expect(await Array.fromAsync(ada.list('/books'))).toMatchObject([emma])
  const { id = '' } = created.ok ? created.data : {}
  expect(await ada.delete('/books/{id}', { params: { id } })).toMatchObject({ status: 204 })
  expect(await Array.fromAsync(ada.list('/books'))).toEqual([])
})

it('does not show the books of others', async () => {
  const created = await (await logIn('ada')).post('/books', { body: emma })
  const { id = '' } = created.ok ? created.data : {}
  const bob = await logIn('bob')
  expect(await bob.get('/books/{id}', { params: { id } })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await Array.fromAsync(bob.list('/books'))).toEqual([])
})

it('needs a token', async () => {
  const client = createClient<typeof api>({ baseUrl: 'http://localhost', fetch: createFetchHandler(api) })
  expect(await client.post('/books', { body: emma })).toMatchObject({ status: 401, code: 'TOKEN_MISSING' })
})
