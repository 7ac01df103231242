{{/*
What the program's targets need of each other and of what they stand on. This is the program's nature
and no value: who calls whom (calls), what a target stands on (stores), and whether it answers the
public (public).
*/}}
{{- define "cityguide.wiring" -}}
identity:
  calls: []
  stores: [database, bus, cache]
  public: false
places:
  calls: []
  stores: [database, bus, cache]
  public: false
bookmarks:
  calls: [places]
  stores: [database, bus, cache]
  public: false
editorial:
  calls: []
  stores: [database, bus, cache, mail]
  public: false
gateway:
  calls: [identity, places, bookmarks, editorial]
  stores: [bus, cache, blobs]
  public: true
{{- end }}

{{/*
The Deployments of the chosen mode, by name: the wiring of each, with its values. Everything that is
made once for each Deployment ranges over this.
*/}}
{{- define "cityguide.workloads" -}}
{{- $ := . -}}
{{- $workloads := dict -}}
{{- if eq $.Values.mode "single" -}}
{{- $all := dict "args" (list "serve") "calls" list "stores" (list "database" "bus" "cache" "blobs" "mail") "public" true "rpc" false "replicas" 1 "autoscaling" (dict "enabled" false) "resources" $.Values.single.resources -}}
{{- $_ := set $workloads "all" $all -}}
{{- else -}}
{{- $wiring := include "cityguide.wiring" $ | fromYaml -}}
{{- range $name, $service := $.Values.services -}}
{{- $wired := get $wiring $name -}}
{{- $own := dict "args" (list "serve" "--target" $name) "rpc" (not $wired.public) -}}
{{- $_ := set $workloads $name (merge $own $wired (deepCopy $service)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end }}

{{/*
The fewest pods that a Deployment keeps; above one, a node may be drained without an outage.
*/}}
{{- define "cityguide.fewestPods" -}}
{{- if .autoscaling.enabled }}{{ .autoscaling.minReplicas }}{{ else }}{{ .replicas }}{{ end -}}
{{- end }}

{{/*
The Deployments that call one, as a JSON list.
*/}}
{{- define "cityguide.callers" -}}
{{- $callers := list -}}
{{- range $name, $workload := .workloads -}}
{{- if has $.name $workload.calls }}{{ $callers = append $callers $name }}{{ end -}}
{{- end -}}
{{- toJson $callers -}}
{{- end }}
