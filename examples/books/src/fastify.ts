import { createFastifyPlugin } from '@sallyport/rest/fastify'
import { fastify } from 'fastify'
import { api, port } from './books.ts'

await fastify().register(createFastifyPlugin(api)).listen({ port })
