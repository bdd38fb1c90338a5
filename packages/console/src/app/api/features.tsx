import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { operatorQuery } from '../session/session.tsx'
import { resolveAddress, settings } from '../settings.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { toApiError } from './errors.ts'

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[]
}

/** What the API of this host supports, by its OpenAPI document. */
export interface Features {
  /** Reports whether the document declares all of the operations. */
  readonly has: (...operationIds: readonly string[]) => boolean
  /** Reports whether an operation accepts a query parameter. */
  readonly accepts: (operationId: string, parameter: string) => boolean
}

async function loadFeatures(): Promise<Features> {
  const response = await boundedFetch(new Request(resolveAddress(settings.document)))
  const document = (await response.json()) as {
    readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  if (!response.ok) throw toApiError(document, response)
  const operations = new Map(
    Object.values(document.paths ?? {})
      .flatMap((item) => Object.values(item))
      .map((operation) => [operation.operationId, operation]),
  )
  return {
    has: (...ids) => ids.every((id) => operations.has(id)),
    accepts: (id, parameter) =>
      operations
        .get(id)
        ?.parameters?.some(({ name, $ref }) => name === parameter || $ref?.endsWith(`/${parameter}`)) ??
      false,
  }
}

/** Returns what the API supports, for the operator if one is logged in. Pages and actions without a route are absent. */
export function useFeatures(): Features {
  const { data } = useSuspenseQuery({ queryKey: ['features'], queryFn: loadFeatures, staleTime: Infinity })
  const { data: operator } = useQuery({ ...operatorQuery, enabled: false })
  const { refused } = operator ?? {}
  if (refused === undefined || refused.size === 0) return data
  return { ...data, has: (...ids) => data.has(...ids) && !ids.some((id) => refused.has(id)) }
}
