import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { api, unwrap } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'

type Permission = 'read' | 'replay' | 'erase' | 'manage'

/** Whether a request was answered 401. The cookie itself is not readable. */
export interface SessionState {
  readonly isSignedOut: boolean
  readonly setSignedOut: (isSignedOut: boolean) => void
}

const SessionContext = createContext<SessionState | undefined>(undefined)

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [isSignedOut, setSignedOut] = useState(false)
  const state = useMemo(() => ({ isSignedOut, setSignedOut }), [isSignedOut])
  return <SessionContext value={state}>{children}</SessionContext>
}

export function useSession(): SessionState {
  const state = use(SessionContext)
  if (state === undefined) throw new Error('useSession needs a SessionProvider')
  return state
}

/** Returns the function that ends the login, with the responses to the new operator. */
export function useSignIn(): () => Promise<void> {
  const { setSignedOut } = useSession()
  const queries = useQueryClient()
  return async () => {
    await queries.resetQueries({ predicate: isOfOperator })
    setSignedOut(false)
  }
}

/** Returns the function that shows the login, and forgets the responses to the operator. */
export function useSignOut(): () => void {
  const { setSignedOut } = useSession()
  const queries = useQueryClient()
  return () => {
    setSignedOut(true)
    queries.removeQueries({ predicate: isOfOperator })
  }
}

/** The features of the API are the same for every operator. */
const isOfOperator = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  queryKey[0] !== 'features'

/** The operator who is logged in. */
export interface Operator {
  readonly id: string | undefined
  readonly name: string | undefined
  /** Reports whether the operator has a permission. The API checks it again. */
  readonly may: (permission: Permission) => boolean
  /** The operations that refuse the operator, whose endpoints are limited. */
  readonly refused?: ReadonlySet<string>
  /** Why the user is no operator. */
  readonly refusal?: ApiError
}

const unknownOperator: Operator = { id: undefined, name: undefined, may: () => true }

/** The query of the operator; undefined data would be an error, so an operator without a session is null. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: loadOperator,
  staleTime: 60_000,
})

/**
 * Returns the operator; undefined without a session. An API that does not say who is logged in refuses what the operator may
 * not do.
 */
export function useOperator(): Operator | undefined {
  return useSuspenseQuery(operatorQuery).data ?? undefined
}

async function loadOperator(): Promise<Operator | null> {
  try {
    const { data } = await unwrap(api.GET('/operator'))
    const permissions = new Set<string>(data.permissions)
    return {
      ...{ id: data.id, name: data.name ?? undefined, refused: new Set(data.refused_operations) },
      may: (permission) => permissions.has(permission),
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    if (error instanceof ApiError && error.status === 403)
      return { id: undefined, name: undefined, may: () => false, refusal: error }
    if (error instanceof ApiError && error.status === 404) return unknownOperator
    throw error
  }
}
