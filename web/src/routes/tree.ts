import { createRoute } from '@tanstack/react-router'
import { goAhead } from './ahead'
import { fixedRoutes } from './fixed-routes'
import { parent, root } from './parent'
import { FirstPage, ResolvedPage } from './resolved'
import { placesSearch } from './search-params'

// At an address with a query the page fetches its data itself.
const loader = ({ location }: { location: { pathname: string; searchStr: string } }) =>
  location.searchStr ? undefined : goAhead(location.pathname)

export const routeTree = root.addChildren([
  ...fixedRoutes,
  // The pages of objects have a grid's parameters where they show one. Pages below an object, such as a
  // place's photos, are routes beside these two: `/$first/$second/photos/$photo/` and
  // `/$first/$second/photos/upload/`, where a fixed segment comes before a parameter.
  createRoute({
    ...parent,
    path: '/$first/',
    validateSearch: placesSearch,
    component: FirstPage,
    loader,
  }),
  createRoute({
    ...parent,
    path: '/$first/$second/',
    validateSearch: placesSearch,
    component: ResolvedPage,
    loader,
  }),
])
