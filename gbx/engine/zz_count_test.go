package engine_test
import ("testing";"fmt";"pakbox/gbx";"pakbox/gbx/engine";"sort")
type cnt struct{v,b int}
func (c *cnt) Value(string, any){c.v++}
func (c *cnt) Coded(string,any,int64,int64){}
func (c *cnt) Begin(string,any,int64){c.b++}
func (c *cnt) End(int64){}
func (c *cnt) Inside(a,b []byte,e error){}
func TestCount(t *testing.T){
 type r struct{p string;n,v,b int}
 var rs []r
 files(t, func(p string,d []byte){ f,err:=gbx.Parse(d,engine.Registry()); if err!=nil {return}; c:=&cnt{}; f.Walk(c); rs=append(rs,r{p,len(f.BodyBytes()),c.v,c.b})})
 sort.Slice(rs,func(i,j int)bool{return rs[i].v>rs[j].v})
 s:=0; for _,x:=range rs{s+=x.v}
 for _,x:=range rs[:6]{fmt.Println(x)}
 fmt.Println(s,len(rs))
}
