import { useFeatures } from '../api/features.tsx'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Button } from '../ui/button.tsx'
import { Consumers } from './consumers.tsx'
import { LaneList, NamedLane, views, type View } from './lanes.tsx'

const filters = [{ name: 'lane', label: 'Lane', placeholder: 'Exact name' }]
const names = ['view', 'lane']
const allViews = Object.keys(views) as readonly View[]

/** The lanes of handlers and the consumers of the bus: what waits, what fails, and what repairs it. */
export function ProcessingPage() {
  const { has } = useFeatures()
  const [{ view: chosen, lane }, setFilters] = useFilters(names)
  const view = allViews.find((one) => one === chosen) ?? 'stuck'
  return (
    <>
      <PageHeader
        title="Processing"
        tabTitle="Processing"
        lead="Lanes of events, which handlers process one after another, and consumers of the bus."
      >
        {has('listLanes') && lane === undefined && (
          <div className="segments" role="group" aria-label="Lanes">
            {allViews.map((one) => (
              <Button
                key={one}
                look="quiet"
                aria-pressed={one === view}
                onPress={() => {
                  setFilters({ view: one === 'stuck' ? '' : one })
                }}
              >
                {views[one].label}
              </Button>
            ))}
          </div>
        )}
      </PageHeader>
      {has('listLanes') && (
        <section aria-label="Lanes">
          <FilterBar filters={filters} values={lane === undefined ? {} : { lane }} onChange={setFilters} />
          {lane === undefined ? <LaneList view={view} /> : <NamedLane key={lane} name={lane} />}
        </section>
      )}
      {has('listConsumers') && (
        <section className="section" aria-label="Consumers">
          <h2>Consumers</h2>
          <Consumers />
        </section>
      )}
    </>
  )
}
