import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Prose } from './prose.tsx'

/** The steps at a service, from the facts of the catalogue. */
export function SetupSteps({ provider }: { readonly provider: string }) {
  const { has } = useFeatures()
  const query = useQuery({
    queryKey: ['provider', provider],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/providers/{name}', { params: { path: { name: provider } }, signal })),
    enabled: has('getProvider'),
  })
  if (!has('getProvider')) return null
  if (query.isPending) return <Loading />
  if (query.isError) return <ErrorNotice error={query.error} />
  const { setup, docs, title } = query.data.data
  return (
    <div className="steps">
      {setup.length === 0 ? (
        <p className="muted">The catalogue has no steps for {title}.</p>
      ) : (
        <ol className="numbered">
          {setup.map((step) => (
            <li key={step}>
              <Prose text={step} />
            </li>
          ))}
        </ol>
      )}
      <DocsLink title={title} docs={docs} />
    </div>
  )
}

/** A link to the documents of a service. Only https addresses become links. */
function DocsLink({ title, docs }: { readonly title: string; readonly docs: string | null }) {
  if (docs === null || !docs.startsWith('https://')) return null
  return (
    <p>
      <a href={docs} target="_blank" rel="noreferrer noopener">
        Documents of {title}
      </a>
    </p>
  )
}
