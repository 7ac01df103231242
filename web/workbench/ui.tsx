import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import { announce, Announcer } from '#/ui/Announcer'
import { Avatar } from '#/ui/Avatar'
import { Bleed } from '#/ui/Bleed'
import { Button } from '#/ui/Button'
import { Card } from '#/ui/Card'
import { CardSkeletons } from '#/ui/CardSkeleton'
import Carousel from '#/ui/Carousel'
import { Chips } from '#/ui/Chips'
import { Counted } from '#/ui/Counted'
import { Detail, DetailSkeleton } from '#/ui/Detail'
import { Dialog } from '#/ui/Dialog'
import { DialogShell } from '#/ui/DialogShell'
import { Fact, Facts } from '#/ui/Facts'
import { FileButton } from '#/ui/FileButton'
import { FloatingCard } from '#/ui/FloatingCard'
import { Headline } from '#/ui/Headline'
import { Html } from '#/ui/Html'
import * as icons from '#/ui/icons'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { Kicker } from '#/ui/Kicker'
import { LeadAndSeconds, LeadAndSecondsSkeleton } from '#/ui/LeadAndSeconds'
import { Loaded } from '#/ui/Loaded'
import { Loading } from '#/ui/Loading'
import { LoadMore } from '#/ui/LoadMore'
import { Notice } from '#/ui/Notice'
import { Offline } from '#/ui/Offline'
import { PageHead } from '#/ui/PageHead'
import { Picture } from '#/ui/Picture'
import { Placeholder } from '#/ui/Placeholder'
import { Prose } from '#/ui/Prose'
import { Reminder } from '#/ui/Reminder'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SelectField } from '#/ui/SelectField'
import { ShareLinks } from '#/ui/ShareLinks'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import { StarPicker } from '#/ui/StarPicker'
import { Stars } from '#/ui/Stars'
import { TabStrip } from '#/ui/TabStrip'
import { Tile } from '#/ui/Tile'
import { Toast } from '#/ui/Toast'
import { FAILED, PENDING, type States } from './states'

// Loads the map library, like the site, only if a map is shown.
const CityMap = lazy(() => import('#/ui/CityMap'))

const nothing = (): void => {}
const NAME = 'The Streetcar Loop'
const LONG = 'An establishment whose name takes several lines wherever there is little room for it'
const DECK = 'Coffee at the end of the line, with a view of the trams that turn there.'
const HTML =
  '<p>A paragraph with <a href="/places/">a link</a>.</p><h2>A heading</h2><ul><li>One</li></ul>'
const ADDRESS = '/places/the-streetcar-loop/'

const picture = <Picture id={1} name={NAME} />
const share = <ShareLinks path={ADDRESS} title={NAME} />
const CHIPS = ['Cocktails', 'Natural wine', LONG].map((name) => ({
  name,
  href: `${ADDRESS}?${name}`,
}))
const card = { name: NAME, href: ADDRESS, picture, kicker: 'Café', meta: 'Harbour', deck: DECK }
const more = {
  hasMore: true,
  isLoading: false,
  isFailed: false,
  loaded: 12,
  total: 48,
  onMore: nothing,
}
const MAP: ComponentProps<typeof CityMap>['content'] = {
  areas: [],
  points: [{ key: 1, lat: 43.65, lng: -79.38, content: <b>Here</b>, isInSight: true }],
}

const BASEMAP: NonNullable<typeof MAP.basemap> = {
  type: 'FeatureCollection',
  credit: 'Streets by the town surveyor',
  features: [
    ['rail', 43.64],
    ['street', 43.65],
    ['tram', 43.655],
  ].map(([kind, lat]) => ({
    type: 'Feature',
    properties: { kind, name: 'Queen Street' },
    geometry: {
      type: 'MultiLineString',
      coordinates: [[[-79.4, Number(lat)], [-79.36, Number(lat)]]], // prettier-ignore
    },
  })),
}

const TABS = [1, 2, 3, 4, 5, 6, 7, 8].map((page) => ({
  href: `/page/${page}`,
  label: `Section ${page}`,
}))

/** A box for components that fill the box around them or have a fixed position. */
const framed = (element: ReactNode) => (
  <div style={{ contain: 'layout', width: '24rem', height: '16rem' }}>{element}</div>
)

function Opener(props: Partial<ComponentProps<typeof Dialog>>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog title="A title" isOpen={isOpen} onClose={() => setOpen(false)} {...props}>
        <p>{DECK}</p>
        <Button onClick={() => setOpen(false)}>Done</Button>
      </Dialog>
    </>
  )
}

function Choice() {
  const [value, setValue] = useState('name')
  const options = [
    { value: 'name', label: 'Name, A to Z' },
    { value: 'new', label: 'Newest' },
  ]
  return <SelectField label="Sort" value={value} options={options} onChange={setValue} />
}

/** The states of each component of src/ui. */
export const UI: States = {
  Announcer: {
    ready: (
      <>
        <Button onClick={() => announce('Saved.')}>Announce</Button>
        <Announcer />
      </>
    ),
  },
  Avatar: {
    ready: <Avatar name="Robin Ames" source="/media/demo/restaurants/1-600x400.jpg" />,
    'without a picture': <Avatar name="Robin Ames" source={null} />,
    large: <Avatar name="Robin of the Streetcar Loop" source={null} isLarge />,
  },
  Bleed: { ready: <Bleed>{picture}</Bleed> },
  Button: {
    solid: <Button>Save</Button>,
    outline: <Button look="outline">Save</Button>,
    quiet: <Button look="quiet">Save</Button>,
    busy: <Button isBusy>Save</Button>,
  },
  Card: {
    card: <Card {...card} />,
    cover: <Card {...card} look="cover" heading="h2" />,
    'cover with a sentence': <Card {...card} look="cover" sentence={DECK} deck={undefined} />,
    lead: <Card {...card} look="lead" heading="h2" />,
    second: <Card {...card} look="second" />,
    line: <Card {...card} look="line" />,
    'long, with a note': <Card {...card} name={LONG} note="Closed" />,
    'name alone': <Card name={NAME} href={ADDRESS} picture={picture} />,
  },
  CardSkeleton: {
    card: <CardSkeletons count={1} hasKicker hasMeta />,
    'card with a deck': <CardSkeletons count={1} hasKicker deckLines={3} />,
    line: <CardSkeletons count={2} look="line" nameLines={1} hasKicker hasMeta hasControls />,
  },
  Carousel: {
    'three slides': (
      <Carousel
        label="Videos"
        slides={[1, 2, 3].map((key) => ({ key, content: <Picture id={key} name={`${key}`} /> }))}
      />
    ),
    'one slide': <Carousel label="One video" slides={[{ key: 1, content: picture }]} />,
  },
  Chips: {
    wrapped: <Chips label="Chips" links={CHIPS} />,
    'one line': <Chips label="Chips in a line" links={CHIPS} isLine />,
  },
  CityMap: {
    ready: framed(
      <Suspense fallback={<Skeleton ratio="3 / 2" />}>
        <CityMap label="Map of one place" content={MAP} />
      </Suspense>,
    ),
    'with streets': framed(
      <Suspense fallback={<Skeleton ratio="3 / 2" />}>
        <CityMap label="Map of one place with streets" content={{ ...MAP, basemap: BASEMAP }} />
      </Suspense>,
    ),
  },
  Counted: {
    none: <Counted href={ADDRESS} name="Harbour" count={0} unit={['place', 'places']} />,
    one: <Counted href={ADDRESS} name="Harbour" count={1} unit={['place', 'places']} />,
    many: <Counted href={ADDRESS} name={LONG} count={1234} unit={['place', 'places']} />,
  },
  Detail: {
    loading: <DetailSkeleton what="the place" />,
    ready: (
      <Detail
        name={NAME}
        kicker="Café"
        deck={DECK}
        picture={picture}
        share={share}
        side={<Kicker>Side</Kicker>}
      >
        <Prose html={HTML} />
      </Detail>
    ),
    large: (
      <Detail
        name={LONG}
        isLarge
        isStoryFirst
        picture={picture}
        share={share}
        side={<Kicker>Side</Kicker>}
      >
        <Prose html={HTML} />
      </Detail>
    ),
  },
  Dialog: {
    dialog: <Opener />,
    drawer: <Opener kind="drawer" />,
    panel: <Opener kind="panel" isModal={false} />,
    sheet: <Opener kind="sheet" isTitleHidden />,
    question: <Opener isQuestion />,
  },
  DialogShell: {
    dialog: framed(<DialogShell kind="dialog" />),
    panel: framed(<DialogShell kind="panel" isModal={false} />),
  },
  Facts: {
    ready: (
      <Facts>
        <Fact name="Phone">416 555 0100</Fact>
        <Fact name="Address">{LONG}</Fact>
      </Facts>
    ),
  },
  FileButton: {
    solid: <FileButton onFiles={nothing}>Choose photos</FileButton>,
    outline: (
      <FileButton look="outline" onFiles={nothing}>
        Choose a picture
      </FileButton>
    ),
    busy: (
      <FileButton isBusy onFiles={nothing}>
        Choose photos
      </FileButton>
    ),
  },
  FloatingCard: {
    ready: (
      <FloatingCard className="" onClose={nothing}>
        {DECK}
      </FloatingCard>
    ),
    'a landmark': (
      <FloatingCard label={NAME} className="" onClose={nothing}>
        {DECK}
      </FloatingCard>
    ),
  },
  Headline: {
    ready: <Headline name={NAME} kicker="Café" deck={DECK} />,
    'large and long': <Headline name={LONG} isLarge />,
  },
  Html: { ready: <Html html={HTML} /> },
  icons: Object.fromEntries(
    Object.entries(icons).map(([name, Icon]) => [name, <Icon key={name} />]),
  ),
  KeywordSearch: {
    empty: <KeywordSearch what="places" keywords="" onSearch={nothing} />,
    filled: <KeywordSearch what="events" keywords="jazz" onSearch={nothing} />,
  },
  Kicker: { ready: <Kicker>Café</Kicker> },
  LeadAndSeconds: {
    loading: <LeadAndSecondsSkeleton />,
    'loading, even': <LeadAndSecondsSkeleton isEven />,
    ready: (
      <LeadAndSeconds
        lead={<Card {...card} look="cover" />}
        seconds={[1, 2].map((key) => (
          <Card key={key} {...card} look="second" />
        ))}
      />
    ),
    even: (
      <LeadAndSeconds
        isEven
        lead={<Card {...card} look="cover" />}
        seconds={[<Card key="1" {...card} look="second" />]}
      />
    ),
  },
  Loaded: {
    loading: (
      <Loaded query={PENDING} skeleton={<Skeleton height="4rem" />}>
        {() => null}
      </Loaded>
    ),
    error: (
      <Loaded query={FAILED} skeleton={null}>
        {() => null}
      </Loaded>
    ),
  },
  Loading: {
    ready: (
      <Loading>
        <Skeleton height="4rem" />
      </Loading>
    ),
  },
  LoadMore: {
    ready: <LoadMore {...more} />,
    loading: <LoadMore {...more} isLoading />,
    error: <LoadMore {...more} isFailed />,
    'total unknown': <LoadMore {...more} total={-1} />,
  },
  Notice: {
    ready: (
      <Notice title="Nothing here yet">
        <p>{DECK}</p>
      </Notice>
    ),
    empty: <Notice title="Nothing here yet" isEmpty />,
    alert: <Notice title="This did not work" isAlert />,
  },
  Offline: { ready: <Offline /> },
  PageHead: {
    ready: (
      <PageHead kicker="Guide" title="Places" deck={DECK}>
        <Button>Act</Button>
      </PageHead>
    ),
    'title alone': <PageHead title={LONG} />,
  },
  Placeholder: {
    ready: (
      <Placeholder what="places">
        <Skeleton height="4rem" />
      </Placeholder>
    ),
  },
  Picture: {
    ready: <Picture id={1} name={NAME} source="/src/assets/icon.svg" />,
    empty: picture,
    error: <Picture id={2} name={NAME} source="/no-such-picture.jpg" />,
  },
  Prose: { ready: <Prose html={HTML} />, story: <Prose html={HTML} isStory /> },
  Reminder: {
    ready: framed(
      <Reminder label="Reminder" onClose={nothing}>
        <p>Want to go to {NAME}?</p>
      </Reminder>,
    ),
  },
  Retry: { error: <Retry onRetry={nothing} /> },
  SectionHeading: {
    ready: <SectionHeading>New places</SectionHeading>,
    'with a link': (
      <SectionHeading aside={<SiteLink href="/places/">All places</SiteLink>}>
        {LONG}
      </SectionHeading>
    ),
  },
  SelectField: { ready: <Choice /> },
  ShareLinks: { ready: <ShareLinks path={ADDRESS} title={NAME} /> },
  SiteLink: {
    inside: <SiteLink href={ADDRESS}>{NAME}</SiteLink>,
    outside: <SiteLink href="https://example.com/">Elsewhere</SiteLink>,
  },
  Skeleton: { line: <Skeleton width="40%" height="1rem" />, picture: <Skeleton ratio="3 / 2" /> },
  StarPicker: {
    'nothing chosen': <StarPicker label="Your rating" value={null} onPick={nothing} />,
    'one star': <StarPicker label="Your rating" value={1} onPick={nothing} />,
    'five stars': <StarPicker label="Your rating" value={5} onPick={nothing} />,
  },
  Stars: {
    'no votes': <Stars rating={0} voters={0} />,
    'one vote': <Stars rating={5} voters={1} />,
    'many votes': <Stars rating={3.7} voters={12_345} />,
    small: <Stars rating={4.5} voters={1234} isSmall />,
  },
  TabStrip: {
    ready: <TabStrip label="Kinds" tabs={TABS} current="/page/3" />,
    narrow: framed(<TabStrip label="More kinds" tabs={TABS} current="/page/8" />),
  },
  Toast: {
    ready: (
      <Toast message="Your newsletters were not changed." onRetry={nothing} onClose={nothing} />
    ),
  },
  Tile: Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((family) => [
      `family ${family}`,
      framed(<Tile id={family} name={NAME} family={family} />),
    ]),
  ),
}
