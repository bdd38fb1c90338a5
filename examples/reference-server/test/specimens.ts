import { randomUUID } from 'node:crypto'
import type { TestApi, TestUser } from './api.ts'
import type { DeclaredOperation } from './openapi.ts'

/** One of each thing that the API keeps, all but a delivery one user's, and how all that can be read of them reads. */
export interface Specimens {
  readonly owner: TestUser
  /** Fills the parameters of a path with the ids of the specimens, or with an unknown id. */
  readonly fill: (path: string, otherwise?: string) => string
  /** Reads the resources of the owner. */
  readonly read: () => Promise<readonly string[]>
}

/** Whether an operation needs a role, of which an admin has every permission. */
export const isForAdmins = ({ description = '' }: DeclaredOperation): boolean =>
  description.includes('Requires one of the roles: ')

/** Registers a user and creates one resource of each kind with the examples of the document. */
export async function createSpecimens(
  api: TestApi,
  operations: readonly DeclaredOperation[],
  nobodys: string,
): Promise<Specimens> {
  const owner = await api.user('Owner')
  const ids = new Map([
    ['/users/{id}', owner.id],
    ['/sessions/{id}', owner.session],
    ['/deliveries/{id}', await api.delivery()],
  ])
  const fill = (path: string, otherwise?: string) => {
    const segments = path.split('/')
    const filled = segments.map((segment, index) => {
      if (!segment.startsWith('{')) return segment
      const template = segments.slice(0, index + 1).join('/')
      return otherwise ?? ids.get(template) ?? nobodys
    })
    return filled.join('/')
  }

  const items = new Set(operations.map(({ path }) => path).filter((path) => path.endsWith('}')))
  for (const item of [...items].sort((a, b) => a.length - b.length)) {
    const collection = item.slice(0, item.lastIndexOf('/'))
    const create = operations.find(({ method, path }) => method === 'POST' && path === collection)
    if (create === undefined || ids.has(item)) continue
    const json = create.requestBody?.content['application/json']?.example
    const { token } = isForAdmins(create) ? api.admin : owner
    // The caller chooses the name of some items, once.
    const named = item.endsWith('/{name}') && { name: `n${randomUUID().slice(0, 8)}` }
    const { status, data, text } = await api.call('POST', fill(collection), {
      json: { ...Object(json), ...named },
      token,
    })
    if (status !== 201 && status !== 202)
      throw new Error(`The example of ${create.operationId} creates nothing: ${text}`)
    ids.set(item, named === false ? data.id : named.name)
  }

  // The lists show all of it. Those for admins refuse the owner.
  const lists = operations.filter(
    (operation) =>
      operation.parameters?.some(({ name }) => name === 'limit') === true && !isForAdmins(operation),
  )
  return {
    owner,
    fill,
    read: () =>
      Promise.all(
        lists.map(async ({ path }) => {
          // Thousands of times, so without a check against the document.
          const response = await fetch(`${api.base}/api/v1${fill(path)}?limit=100`, {
            headers: { authorization: `Bearer ${owner.token}` },
          })
          return await response.text()
        }),
      ),
  }
}
