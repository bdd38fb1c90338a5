import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Badge } from '../ui/badge.tsx'
import { TextField } from '../ui/fields.tsx'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { ShowMore } from '../ui/show-more.tsx'

/** The catalogue of services: how to set each one up. */
export function HelpPage() {
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search).trim().toLowerCase()
  const query = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => unwrap(api.GET('/providers', { signal })),
    staleTime: 60_000,
  })
  const providers = query.data?.data ?? []
  const shown = providers
    .filter(({ name, title }) => name.includes(wanted) || title.toLowerCase().includes(wanted))
    .sort((one, other) => Number(other.registered) - Number(one.registered))
  return (
    <>
      <PageHeader
        title="Service setup"
        tabTitle="Service setup"
        lead="How each service signs, what identifies its events, and the steps in its settings."
      />
      <div className="filters help-search">
        <TextField
          label="Search"
          type="search"
          placeholder="Name of a service"
          value={search}
          onChange={setSearch}
        />
      </div>
      {query.isPending && <Loading />}
      {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && shown.length === 0 && <Empty title="The catalogue has no such service." />}
      <ShowMore items={shown} step={60}>
        {(some) => (
          <ul className="catalogue">
            {some.map(({ name, title, registered, trust }) => (
              <li key={name}>
                <Link href={`/help/${name}`} className="tile">
                  <strong>{title}</strong>
                  <span className="tile-foot">
                    {registered && <Badge state="registered" tone="good" />}
                    <Badge state={trust} tone={trust === 'signed' ? 'idle' : 'warn'} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </ShowMore>
    </>
  )
}
