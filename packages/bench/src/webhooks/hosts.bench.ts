import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineHttp } from '../frame/http.ts'
import { environmentOf, startReference } from '../server/environment.ts'
import { runOf, secret } from './delivery.ts'
import { openStage, outcomeOf, startPeer, type Stage } from './stage.ts'

const names = {
  reference: 'reference server',
  octokit: '@octokit/webhooks',
  express: 'Express 5 with express.raw',
}

export default defineHttp<Stage>({
  name: 'hosts',
  what: 'A signed delivery of a workflow run of 21 KB, each another event, to whole servers; 64 connections.',
  unit: 'deliveries/s',
  base: names.octokit,
  connections: 64,
  prepare: openStage,
  release: ({ close }) => close(),
  requests: () => [runOf()],
  // The middleware of octokit answers with a text.
  agree: (body) => (body === 'ok\n' ? 'accepted' : outcomeOf(body)),
  target: [
    { side: names.reference, atLeast: 1 },
    { side: names.reference, than: names.express, atLeast: 1.7 },
  ],
  sides: [
    {
      name: names.octokit,
      does: 'Its createNodeMiddleware on node:http: reads, verifies, parses, and counts the event in a handler. Nothing is kept: what a crash interrupts is lost, and what comes twice is handled twice.',
      start: () => startPeer('octokit'),
    },
    {
      name: names.express,
      does: 'With express.raw, verify of @octokit/webhooks-methods, JSON.parse. Nothing is kept.',
      start: () => startPeer('express'),
    },
    {
      name: names.reference,
      does: 'The server as it is deployed, in front of Express: everything that the gateway does, on SQLite with `synchronous=FULL`, published on the embedded bus in the same file, a line of log for each delivery and each attempt, metrics, request ids.',
      async start({ directory }) {
        const data = await mkdtemp(join(directory, 'server-'))
        return startReference({ ...environmentOf(data), WEBHOOK_SECRET_CODEHOST: secret })
      },
    },
  ],
})
