import {
  httpHost,
  startExample,
  testExample,
  testHost,
  testStreamingHost,
  type OpenHost,
} from '@sallyport/test-support/hosts'
import { createServer, type RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'

const open: OpenHost = (gateway) => httpHost(createServer(createApp(gateway) as RequestListener))

testHost('Express', open)
testStreamingHost('Express', open)
testExample('Express', () => startExample(fileURLToPath(new URL('..', import.meta.url))), {
  home: '{"hello":"from Express"}',
})
