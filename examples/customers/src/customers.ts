import { github } from '@sallyport/providers/github'
import { client, type NewCustomer } from './database.ts'
import { webhooks } from './webhooks.ts'

/** Creates the address and the secret that the customer enters at GitHub. */
export async function createCustomer({ name, has_paid }: NewCustomer) {
  const secret = github.signature.createSecret?.()
  const { id } = await webhooks.endpoints.create({ provider: 'github', name, secret })
  await client.insertInto('customers').values({ endpoint: id, name, has_paid }).execute()
  return { id, url: `/webhooks/github/${id}`, secret }
}

/** Cancels what is pending, and erases what the customer sent and what the application stored of it. */
export async function eraseCustomer(id: string) {
  const erasure = await webhooks.eraseEndpoint(id)
  await client.deleteFrom('pushes').where('endpoint', '=', id).execute()
  await client.deleteFrom('customers').where('endpoint', '=', id).execute()
  return erasure
}
