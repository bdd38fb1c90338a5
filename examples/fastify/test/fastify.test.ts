import {
  httpHost,
  startExample,
  testExample,
  testHost,
  testStreamingHost,
  type OpenHost,
} from '@sallyport/test-support/hosts'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'

const open: OpenHost = async (gateway) => {
  const app = createApp(gateway)
  await app.listen({ port: 0 })
  return { ...(await httpHost(app.server)), close: () => app.close() }
}

testHost('Fastify', open, { passesMalformedPaths: false })
testStreamingHost('Fastify', open)
testExample('Fastify', () => startExample(fileURLToPath(new URL('..', import.meta.url))), {
  home: '{"hello":"from Fastify"}',
})
