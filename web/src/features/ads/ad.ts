import type { Screen } from './slots'

/** An ad for a slot, as the server answers it. */
export interface Ad {
  id: string
  boxType: string
  width: number
  height: number
  elementId: string
  screenTypes: Screen[]
  advert_position: string
  article_id: number | null
  article_category: string | null
  creative: AdCreative | null
}

interface AdCreative {
  kind: 'image' | 'html' | 'native'
  advertiser: string
  frame_url: string | null
  alt: string | null
  headline: string | null
  text: string | null
  call: string | null
  picture_url: string | null
  click_url: string
  token: string
}
