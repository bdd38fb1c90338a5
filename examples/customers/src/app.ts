import { github } from '@sallyport/providers/github'
import { openPostgres } from '@sallyport/sql/postgres'
import { createWebhooks, type Publisher } from '@sallyport/webhooks'
import { createFastifyPlugin } from '@sallyport/webhooks/fastify'
import { fastify, type FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'

export interface AppOptions {
  readonly databaseUrl: string
  /** 32 bytes each, in base64, newest first. */
  readonly encryptionKeys: readonly string[]
  readonly publisher: Publisher
  /** Whether a request may create endpoints. */
  readonly authorize: (request: IncomingMessage) => boolean
}

/** Creates an application whose customers each have an address and a secret. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const database = await openPostgres({ url: options.databaseUrl, migrate: true })
  const webhooks = createWebhooks({
    database,
    providers: [github],
    endpoints: true,
    encryptionKeys: options.encryptionKeys,
    publisher: options.publisher,
  })
  webhooks.start()

  const app = fastify()
  await app.register(createFastifyPlugin(webhooks.gateway))
  app.post<{ Params: { name: string } }>('/customers/:name/endpoints', async (request, reply) => {
    if (!options.authorize(request.raw)) return reply.code(401).send()
    const secret = github.signature.createSecret?.()
    const { id } = await webhooks.endpoints.create({
      provider: github.name,
      name: request.params.name,
      secret,
    })
    return reply.code(201).send({ url: `/webhooks/${github.name}/${id}`, secret })
  })
  app.addHook('onClose', async () => {
    await webhooks.stop()
    await database.close()
  })
  return app
}
