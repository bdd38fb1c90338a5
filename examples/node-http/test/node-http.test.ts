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

const open: OpenHost = (gateway) => httpHost(createApp(gateway))

testHost('node:http', open)
testStreamingHost('node:http', open)
testExample('node:http', () => startExample(fileURLToPath(new URL('..', import.meta.url))), {
  home: 'Hello from node:http',
})
