import { Link } from 'wouter'
import { useFeatures } from '../api/features.tsx'
import { Id, Untrusted } from './text.tsx'

interface NamedEndpoint {
  readonly endpoint: string | null
  readonly endpoint_name: string | null
  readonly endpoint_labels: Readonly<Record<string, string>>
}

/** The endpoint of a resource by its name and labels, with a link to its page; by its id without a name. */
export function EndpointName({ of }: { readonly of: NamedEndpoint }) {
  const { has } = useFeatures()
  const { endpoint, endpoint_name: name, endpoint_labels: labels } = of
  if (endpoint === null) return <span className="muted">none</span>
  if (name === null) return <Id value={endpoint} />
  const text = <Untrusted text={name} limit={100} />
  return (
    <>
      {has('getEndpoint') ? <Link href={`/endpoints/${endpoint}`}>{text}</Link> : text}
      {Object.entries(labels).map(([label, value]) => (
        <span key={label} className="row-detail">
          <Untrusted text={`${label}: ${value}`} limit={100} />
        </span>
      ))}
    </>
  )
}
