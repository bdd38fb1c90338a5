import { createAdaptorServer } from '@hono/node-server'
import {
  httpHost,
  startExample,
  testExample,
  testHost,
  testStreamingHost,
  type OpenHost,
} from '@sallyport/test-support/hosts'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'

const open: OpenHost = (gateway) =>
  httpHost(createAdaptorServer({ fetch: createApp(gateway).fetch }) as Server)

testHost('Hono', open)
testStreamingHost('Hono', open)
testExample('Hono', () => startExample(fileURLToPath(new URL('..', import.meta.url))), {
  home: 'Hello from Hono',
})
