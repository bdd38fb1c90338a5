import {
  httpHost,
  startExample,
  testExample,
  testHost,
  testStreamingHost,
  type OpenHost,
} from '@sallyport/test-hosts'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'

const open: OpenHost = (gateway) => httpHost(createApp(gateway))

testHost('Express', open)
testStreamingHost('Express', open)
testExample('Express', () => startExample(fileURLToPath(new URL('..', import.meta.url))), {
  home: '{"hello":"from Express"}',
})
