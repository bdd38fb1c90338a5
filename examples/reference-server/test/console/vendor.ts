import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { unusedPort } from '@sallyport/test-support/services'
import { temporaryDirectory } from '../server-process.ts'
import { providerSettings } from './seed.ts'

/** The APIs of services, and the settings of a server that registers its address there and reads what it missed. */
export interface TestVendor extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>
}

/** Starts GitLab with a project that the token may read and one that it may not, and GitHub with a failed delivery. */
export async function startVendor(): Promise<TestVendor> {
  const hooks: object[] = []
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    void text(request).then((body) => {
      if (url.includes('private')) return answer(401, {})
      if (method === 'POST' && url.startsWith('/api/v4/')) {
        hooks.push({ ...(JSON.parse(body) as object), id: 1 })
        return answer(201, hooks[0])
      }
      if (url.startsWith('/api/v4/')) return answer(200, hooks)
      if (method === 'POST') return answer(202, {})
      return answer(200, [
        {
          ...{ id: 7, guid: '0b989ba4-242f-11e5-81e1-c7b6966d2516', status_code: 502, redelivery: false },
          delivered_at: new Date(Date.now() - 86_400_000).toISOString(),
        },
      ])
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = await temporaryDirectory()
  const write = async (name: string, content: object) => {
    const path = join(folder.path, name)
    await writeFile(path, JSON.stringify(content))
    return path
  }
  const subscribe = (id: string, project: string) => ({
    ...{ id, service: 'gitlab-token', token_name: 'API_TOKEN_GITLAB' },
    parameters: { project, events: ['push_events'], baseUrl: base },
  })
  const source = {
    ...{ name: 'web', service: 'github', repository: 'acme/web', hook: 1 },
    ...{ token_name: 'API_TOKEN_GITHUB', base_url: base },
  }
  const port = await unusedPort()
  return {
    settings: {
      ...{ ...providerSettings, PROVIDERS: `${providerSettings.PROVIDERS},gitlab-token` },
      ...{ ALLOW_UNSIGNED: 'gitlab-token', WEBHOOK_SECRET_GITLAB_TOKEN: 'a secret of GitLab' },
      ...{ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
      ...{ API_TOKEN_GITLAB: 'a token of GitLab', API_TOKEN_GITHUB: 'a token of GitHub' },
      SUBSCRIPTIONS_FILE: await write('subscriptions.json', {
        subscriptions: [subscribe('shop', 'acme/shop'), subscribe('secret', 'acme/private')],
      }),
      RECONCILE_FILE: await write('reconcile.json', { sources: [source] }),
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await folder[Symbol.asyncDispose]()
    },
  }
}
