import { randomUUID } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import { toOriginForm } from '@sallyport/internal/request-target'

/** @throws TypeError for a mount path that does not have the form `/api/v1` */
export function checkMount(mount: string): void {
  if (!/^(?:\/[^/?#]+)+$/.test(mount))
    throw new TypeError(`The mount path ${mount} must have the form /api/v1`)
}

/** Splits the target of a request. The query keeps its `?`, because an empty query and a second `?` are different. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const path = toOriginForm(target)
  const at = path.indexOf('?')
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at)]
}

/** Returns the path below a mount path; undefined for a path outside of it. */
export function stripMount(path: string, mount: string): string | undefined {
  if (path === mount) return '/'
  if (mount === '') return path
  return path.startsWith(`${mount}/`) ? path.slice(mount.length) : undefined
}

/** Creates the error for a path outside of the mount path. */
export const createPathError = (): SallyportError =>
  new SallyportError('NOT_FOUND', 'The path does not exist')

/** Returns the `X-Request-Id` of a request if it has 1 to 64 safe characters, otherwise a new UUID. */
export function chooseRequestId(sent: string | null | undefined): string {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : randomUUID()
}
