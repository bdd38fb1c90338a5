import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  QueryErrorResetBoundary,
} from '@tanstack/react-query'
import { Suspense, useMemo, type ReactNode } from 'react'
import { Router } from 'wouter'
import { ApiError } from './api/errors.ts'
import { ErrorBoundary } from './layout/error-boundary.tsx'
import { Pages } from './layout/pages.tsx'
import { SessionProvider, useSession } from './session/session.tsx'
import { basePath } from './settings.ts'
import { Loading } from './ui/notice.tsx'

/** The whole application. */
export function App() {
  return (
    <Router base={basePath}>
      <SessionProvider>
        <Queries>
          <QueryErrorResetBoundary>
            {({ reset }) => (
              <ErrorBoundary onReset={reset}>
                <Suspense fallback={<Loading />}>
                  <Pages />
                </Suspense>
              </ErrorBoundary>
            )}
          </QueryErrorResetBoundary>
        </Queries>
      </SessionProvider>
    </Router>
  )
}

/** The cache of responses. A response 401 leads to the login. */
function Queries({ children }: { readonly children: ReactNode }) {
  const { setSignedOut } = useSession()
  const client = useMemo(() => {
    const onError = (error: unknown) => {
      if (error instanceof ApiError && error.status === 401) setSignedOut(true)
    }
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      defaultOptions: {
        queries: {
          staleTime: 5000,
          gcTime: 60_000,
          retry: (count, error) =>
            count < 2 && (!(error instanceof ApiError) || [0, 502, 503].includes(error.status)),
        },
      },
    })
  }, [setSignedOut])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
